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
    URL: { Input: string; Output: string };
  };
}

export type Builder = ReturnType<typeof createBuilder>;
/** The first type argument of Pothos refs. */
export type Types = Builder['$inferSchemaTypes'];

/** The builder of one schema, with the three root types. Fields are non-null by default. */
export function createBuilder() {
  const builder = new SchemaBuilder<SchemaTypes>({
    plugins: [ErrorsPlugin],
    defaultFieldNullability: false,
  });
  builder.queryType({
    description:
      'Reads. `generation`, `generations`, `usageTotals` and `accessTokens` read records only. `voices` and `voice` read from the gateway. `task`, `tasks`, `taskByHandle`, `Generation.task` and `awaitGeneration` read tasks from the gateway until they are terminal. `node` and `nodes` read voices and tasks in the same way, and other objects from records.',
  });
  builder.mutationType({
    description: [
      'Creates, cancels and deletes. The fields of one operation run one after the other.',
      'Idempotency: every create takes an `idempotencyKey`. Send the same key with every retry of a request, and the gateway charges once. A repeated key returns the first result, with null for values that are never stored: the `key` of a token, and the `preview` and `raw` of a cloned voice. The same key with another operation or other input returns IdempotencyConflictError. A refused create releases its key. A key whose outcome is unknown returns OutcomeUnknownError. Keys expire after a week by default.',
      'Over WebSocket, a create without a key uses its operation id if that is a UUID, so automatic retries of a client do not charge twice.',
    ].join('\n\n'),
  });
  builder.subscriptionType({
    description:
      'Live streams over WebSocket (graphql-transport-ws) or SSE by POST, never by GET. Over WebSocket, send the credential in `connectionParams` as `Authorization` or `token`.',
  });
  return builder;
}
