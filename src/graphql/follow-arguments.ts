import type { GraphQLResolveInfo } from 'graphql';
import { type InputIssue, RequestError } from '../errors.ts';
import type { FollowOptions } from '../streams/recorded-stream.ts';
import type { Graph } from './graph.ts';
import { asksFor } from './selection.ts';
import { shared } from './shared-descriptions.ts';

const maxIntervalMs = 10_000;
const intervalLimit = `0 to ${maxIntervalMs}`;

/** Protects clients that select the whole reply in every delta: their events grow with the square of the reply. */
const soFarIntervalMs = 100;

/** The argument of every subscription to a recorded stream. It concerns only the delivery to this subscriber. */
export function intervalArgument({ builder }: Graph) {
  return builder.args((t) => ({
    minIntervalMs: t.int({ description: shared.minIntervalMs }),
  }));
}

/** The arguments of every subscription that follows an existing stream. */
export function followArguments(graph: Graph) {
  return {
    ...graph.builder.args((t) => ({
      id: t.id({ required: true, description: shared.generationId }),
      after: t.int({ description: shared.after }),
    })),
    ...graph.use(intervalArgument),
  };
}

interface FollowArguments {
  readonly after?: number | null | undefined;
  readonly minIntervalMs?: number | null | undefined;
}

/** The interval of a subscription to the events `<prefix>Event`. */
export function toInterval(
  { minIntervalMs }: FollowArguments,
  info: GraphQLResolveInfo,
  prefix: string,
): number {
  if (minIntervalMs !== null && minIntervalMs !== undefined) return minIntervalMs;
  return asksFor(info, `${prefix}Delta`, 'soFar') ? soFarIntervalMs : 0;
}

/** @throws RequestError LIMIT_EXCEEDED */
export function toFollowOptions(
  args: FollowArguments,
  info: GraphQLResolveInfo,
  prefix: string,
): FollowOptions {
  const [issue] = intervalIssues(args);
  if (issue)
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `minIntervalMs must be ${intervalLimit}, received ${issue.received}.`,
    );
  return { after: args.after ?? undefined, minIntervalMs: toInterval(args, info, prefix) };
}

/** The same violation as a problem of a create, which reports all problems together. */
export function intervalIssues({ minIntervalMs }: FollowArguments): readonly InputIssue[] {
  const value = minIntervalMs ?? 0;
  if (value >= 0 && value <= maxIntervalMs) return [];
  return [
    {
      path: ['minIntervalMs'],
      message: `Must be ${intervalLimit}.`,
      limit: intervalLimit,
      received: String(value),
    },
  ];
}
