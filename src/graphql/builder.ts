import SchemaBuilder from '@pothos/core';
import ErrorsPlugin from '@pothos/plugin-errors';
import type { Json } from '../lib/json.ts';
import type { Context } from './context.ts';

export interface SchemaTypes {
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: number; Output: number };
    JSON: { Input: Json; Output: unknown };
    BigInt: { Input: number | bigint; Output: number | bigint };
    URL: { Input: string; Output: string };
  };
}

export type Builder = ReturnType<typeof createBuilder>;
/** The first type argument of Pothos refs. */
export type Types = Builder['$inferSchemaTypes'];

/** A builder of one schema, with its three root types. Fields are non-null by default. */
export function createBuilder() {
  const builder = new SchemaBuilder<SchemaTypes>({
    plugins: [ErrorsPlugin],
    defaultFieldNullability: false,
  });
  builder.queryType({
    description:
      'Reads. `generation`, `generations` and `accessTokens` read records alone. The gateway is asked by `voices` and `voice`, and by whatever shows a task that has not ended: `task`, `tasks`, `taskByHandle`, `Generation.task`, `node` and `nodes` (which find voices too), `awaitGeneration`.',
  });
  builder.mutationType({
    description:
      'Creates and cancels. Aliased creates in one operation run one after the other. Every create takes an `idempotencyKey`: send the same key on every retry of one intent, and it is paid for once.',
  });
  builder.subscriptionType({
    description: 'Live streams, over WebSocket (graphql-transport-ws) or SSE by POST; never over GET.',
  });
  return builder;
}
