import { chooseChannel } from '../access/channels.ts';
import { requireModel, requireQuota } from '../access/credentials.ts';
import type { Token } from '../access/tokens.ts';
import { replyJson, type Exchange, type Services } from '../http/routes.ts';
import { disturbCreation, findFaults, refuseCreation, type Faults } from './faults.ts';

/** A request with a valid credential. */
export interface Call {
  readonly exchange: Exchange;
  readonly services: Services;
  readonly token: Token;
}

export interface Price {
  /** The model's names. The first one selects the channel. */
  readonly models: readonly [string, ...string[]];
  /** Quota units before the channel's ratio. */
  readonly units: number;
}

/** Refuses a model or a price that the token does not allow. Returns a function that charges the token. */
export function openBill({ services, token }: Omit<Call, 'exchange'>, { models, units }: Price): () => void {
  requireModel(token, models);
  const { channel } = chooseChannel(token.groups, models[0]);
  const price = units * channel.ratio;
  if (price > 0) requireQuota(token, price);
  return () => services.tokens.charge(token, price);
}

export interface PaidWork extends Price {
  /** The texts that can ask for faults. */
  readonly texts: readonly string[];
  /** Does the work and returns the body of the reply. A `Response` is sent unchanged and is not charged. */
  readonly perform: (faults: Faults) => unknown;
}

/** Does the work, charges for it and replies. A fault that refuses the creation replaces all of this. */
export async function replyPaidWork(call: Call, { texts, perform, ...price }: PaidWork): Promise<Response> {
  const charge = openBill(call, price);
  const faults = findFaults(texts);
  const refused = refuseCreation(faults);
  if (refused) return refused;
  const body = perform(faults);
  if (body instanceof Response) return body;
  charge();
  return (await disturbCreation(call.exchange, faults)) ?? replyJson(call.exchange, body);
}
