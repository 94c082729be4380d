import { Refusal } from '../http/errors.ts';

/** A group of tokens, and the upstream channel that serves it. */
export interface Channel {
  readonly group: string;
  /** The cost of one chat token in quota units. */
  readonly ratio: number;
  /** The channel's own names for some models. Replies show these names. */
  readonly modelMapping: Readonly<Record<string, string>>;
  readonly serves: (model: string) => boolean;
}

/** The model that no channel serves. */
const unknownModel = 'unknown-model';

/** The channels by group, as the sandbox's README documents them. */
const channels: readonly Channel[] = [
  {
    group: 'default',
    ratio: 1,
    modelMapping: { 'gpt-4o': 'gpt-4o-2024-08-06', 'claude-sonnet': 'claude-sonnet-4-5' },
    serves: (model) => model !== unknownModel,
  },
  {
    group: 'vip',
    ratio: 2,
    modelMapping: { 'gpt-4o': 'gpt-4o-2024-11-20' },
    serves: (model) => model !== unknownModel,
  },
  {
    group: 'economy',
    ratio: 0.5,
    modelMapping: {},
    serves: (model) => /(^|-)(mini|nano|lite|flash|small)(-|$)/.test(model),
  },
];

export function isKnownGroup(group: string): boolean {
  return channels.some((channel) => channel.group === group);
}

/** The channel of the first group that serves the model, and the model's name there. */
export function chooseChannel(groups: readonly string[], model: string): { channel: Channel; model: string } {
  for (const group of groups) {
    const channel = channels.find((candidate) => candidate.group === group && candidate.serves(model));
    if (!channel) continue;
    const mapped = Object.hasOwn(channel.modelMapping, model) ? channel.modelMapping[model] : undefined;
    return { channel, model: mapped ?? model };
  }
  throw new Refusal({
    status: 503,
    code: 'model_not_found',
    message: `No available channel for model ${model} under group ${groups.join(',')}`,
  });
}
