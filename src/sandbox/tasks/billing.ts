import { chooseChannel } from '../access/channels.ts';
import { requireModel, requireQuota } from '../access/credentials.ts';
import type { Token } from '../access/tokens.ts';
import type { Services } from '../http/routes.ts';

export interface Order {
  readonly token: Token;
  /** The model's names: the first is the one that a channel is chosen by. */
  readonly models: readonly [string, ...string[]];
  /** Price before the channel's ratio. */
  readonly units: number;
}

/** Refuses what the token may not have or cannot pay. Returns what debits the price. */
export function openBill(services: Services, { token, models, units }: Order): () => void {
  requireModel(token, models);
  const { channel } = chooseChannel(token.groups, models[0]);
  const price = units * channel.ratio;
  if (price > 0) requireQuota(token, price);
  return () => services.tokens.charge(token, price);
}
