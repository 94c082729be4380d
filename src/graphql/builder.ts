import SchemaBuilder from '@pothos/core';
import ErrorsPlugin from '@pothos/plugin-errors';
import type { Json } from '../lib/json.ts';
import type { Context } from './context.ts';

export interface SchemaTypes {
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    /** In days since the epoch. */
    Date: { Input: number; Output: number };
    DateTime: { Input: number; Output: number };
    JSON: { Input: Json; Output: unknown };
    BigInt: { Input: number | bigint; Output: number | bigint };
    Number: { Input: number | bigint; Output: number | bigint };
    URL: { Input: string; Output: string };
  };
}

export type Builder = ReturnType<typeof createBuilder>;
/** The first type argument of Pothos refs. */
export type Types = Builder['$inferSchemaTypes'];

/** What a reader of the schema needs before the first operation. */
export const schemaDescription = [
  "Chats, images, speech, video, music, voices and access tokens of one generative-AI gateway, at `/graphql`. Send the gateway's key, or the token of your sign-in, as `Authorization: Bearer …`. Access tokens need the system token and the header `new-api-user`. Over WebSocket, send both in `connectionParams`.",
  'A create returns a Generation or an error that says how to react (`retry`). A Generation that is not terminal is followed by `taskProgress`, `chatEvents`, `imageEvents` or, for all of them, `generationChanged`; its files are `Generation.assets`. Nothing is sent to the gateway for an invalid input.',
  '`fileId` and `imageId` name files that were uploaded to the gateway itself, not by `createUpload`. This API deletes no access tokens and no cloned voices.',
].join('\n\n');

/** The builder of one schema, with the three root types. Fields are non-null by default. */
export function createBuilder() {
  const builder = new SchemaBuilder<SchemaTypes>({
    plugins: [ErrorsPlugin],
    defaultFieldNullability: false,
  });
  builder.queryType({
    description: [
      'Generations, their usage and access tokens are read from records only, so a rejected credential has none; voices and tasks that are not terminal from the gateway.',
      'Lists are connections. `totalCount` is the number of items on all pages, at most 10000; if `isTotalCapped`, there may be more. A `cursor` is a position for `after` or `before` in the same order.',
    ].join('\n\n'),
  });
  builder.mutationType({
    description: [
      'The fields of one operation run one after the other. A null result always has an error in `errors`.',
      '`collection` is your label, up to 200 characters. By default, the tasks of speech and of videos are SUBMITTED.',
      'Send the same `idempotencyKey`, up to 200 characters, with every retry of a create, and the gateway charges once. A repeated key returns the first result; values that are never stored are null. A refused create releases its key. A key with another operation or input returns IdempotencyConflictError; with an unknown outcome, OutcomeUnknownError. Keys expire after a week by default. Over WebSocket, a UUID as operation id protects retries over WebSocket only; no `idempotencyKey` equals it. For ten minutes after a refusal, such a retry repeats the refusal.',
      'An optional member without a stated default is not sent (in a cover: sent empty): the gateway has its own default. `extra` adds members without a field to the request, by wire name. It refuses `stream` and members that have a field in any form of the request.',
    ].join('\n\n'),
  });
  builder.subscriptionType({
    description: [
      'Use WebSocket (graphql-transport-ws), with the credential in `connectionParams` as `Authorization` or `token`, or POST with `Accept: text/event-stream` or `multipart/mixed;subscriptionSpec=1.0`.',
      'Streams are of chats and images; their `id` is that of the generation. `minIntervalMs` is the minimum time between their events, 0 to 10000; deltas coalesce. Default: 0, or 100 if deltas select `soFar`. `after` is your last `sequence`: the stream skips earlier deltas. Omit it if your client retries with unchanged variables.',
    ].join('\n\n'),
  });
  return builder;
}
