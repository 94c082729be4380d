import { z } from 'zod';
import type { Exchange } from '../../bus/exchange.ts';
import { type RetryAdvice, retryAdvice } from '../../error-codes.ts';

/** Topics of the exchange between the instance that runs a stream (the producer) and those that follow it (readers). */
export const topics = {
  follow: 'stream-follow',
  keep: 'stream-keep',
  leave: 'stream-leave',
  cancel: 'stream-cancel',
  changes: 'stream-news',
};

/** A living producer answers a question sooner, or records the end that it is asked for. */
export const answerMs = 1000;

/** From a reader to all instances. The producer answers with a `position`. */
export const followRequest = z.object({
  id: z.string(),
  /** Returned in the answer. Of a repeated question, the same: a large answer is not sent twice soon. */
  token: z.number(),
  /** The deltas after this sequence are wanted too. */
  after: z.number().optional(),
  /** The sequence of the reader's replica. Without it, the answer has the state. */
  sequence: z.number().optional(),
});
export type FollowRequest = z.output<typeof followRequest>;

/**
 * From a reader to the producers of streams that it still follows, regularly; or of one that it no longer follows, or that its
 * client cancels.
 */
export const streamIds = z.array(z.string());

/** As in a record. */
const failure = z.object({
  code: z.string(),
  message: z.string(),
  upstreamCode: z.string().optional(),
  status: z.number().optional(),
  retry: z
    .custom<RetryAdvice>((value) => typeof value === 'string' && Object.hasOwn(retryAdvice, value))
    .optional(),
  retryAfterSeconds: z.number().optional(),
});

/** From the producer to a reader. The receiver knows the types of state and deltas from the kind of the stream. */
export const streamChange = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('position'),
    id: z.string(),
    token: z.number(),
    sequence: z.number(),
    /** Absent if the reader has all deltas. */
    state: z.unknown().optional(),
    /** One delta with the effect of those after the wanted sequence. */
    missed: z.object({ after: z.number(), delta: z.unknown() }).optional(),
  }),
  z.object({
    type: z.literal('deltas'),
    id: z.string(),
    /** Sequence of the first delta. */
    from: z.number(),
    deltas: z.array(z.unknown()),
  }),
  z.object({
    type: z.literal('end'),
    id: z.string(),
    sequence: z.number(),
    /** Why the create was refused. Its record is deleted then. */
    refusal: failure.optional(),
  }),
]);
export type StreamChange<State = unknown, Delta = unknown> = {
  readonly state?: State;
  readonly missed?: { readonly delta: Delta } | undefined;
  readonly deltas?: readonly Delta[];
} & z.output<typeof streamChange>;

/** Listens to messages of one type. Ignores others, which an instance of another version may send. */
export function listenTo<Message>(
  exchange: Exchange,
  topic: string,
  schema: z.ZodType<Message>,
  onMessage: (message: Message, sender: string) => void,
): () => void {
  return exchange.listen(topic, (body, sender) => {
    const decoded = schema.safeParse(body);
    if (decoded.success) onMessage(decoded.data, sender);
  });
}
