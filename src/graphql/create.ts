import type { InputObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { type InputIssue, NotContinuableError } from '../errors.ts';
import type { CreateCall } from '../generations/create.ts';
import type { IdempotencyKey } from '../generations/create-once.ts';
import { labelIssues } from '../generations/label-issues.ts';
import type { Generation } from '../store/records.ts';
import type { Types } from './builder.ts';
import type { Graph } from './graph.ts';
import { checkSelection } from './check-selection.ts';
import { type Context, requireCaller } from './context.ts';
import { createErrors } from './errors.ts';
import { intervalIssues } from './follow-arguments.ts';
import { generationRef } from './refs.ts';
import { shared } from './shared-descriptions.ts';

function createGenerationResultRef({ builder, use }: Graph) {
  return builder.errorUnion('CreateGenerationResult', {
    description: 'The generation, or an error.',
    types: [use(generationRef), ...createErrors, NotContinuableError],
    resolveType: () => 'Generation',
  });
}

/** The argument of every create. The description of the Mutation type has its rules. */
export function keyArgument({ builder }: Graph) {
  return builder.args((t) => ({
    idempotencyKey: t.id({ description: shared.idempotencyKey }),
  }));
}

/** The arguments of every create whose result is recorded. */
export function createArguments({ builder, use }: Graph) {
  return {
    ...use(keyArgument),
    ...builder.args((t) => ({
      collection: t.id({ description: shared.collection }),
    })),
  };
}

interface CreateField<Input> {
  readonly description: string;
  readonly input: (graph: Graph) => InputObjectRef<Types, Input>;
  readonly create: (call: CreateCall, input: Input) => Promise<Generation>;
}

/** Adds a mutation that creates a generation. */
export function addCreate<Input extends object>(
  { builder, use }: Graph,
  name: string,
  { description, input, create }: CreateField<Input>,
): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: use(createGenerationResultRef),
      nullable: true,
      description,
      args: { input: t.arg({ type: use(input), required: true }), ...use(createArguments) },
      resolve(_root, args, context, info) {
        const sent: object = args; // Pothos computes this type only for a known input.
        const known = sent as CreateArguments & { readonly input: Input };
        return create(toCreateCall(known, context, info), known.input);
      },
    }),
  );
}

export interface CreateArguments {
  readonly idempotencyKey?: string | null | undefined;
  readonly collection?: string | null | undefined;
  /** Only in creates that are subscriptions. */
  readonly minIntervalMs?: number | null | undefined;
}

/**
 * Converts the call of a create field for the engine.
 * @throws RequestError UNAUTHENTICATED, GraphQLError or RequestError for a selection that must fail
 */
export function toCreateCall(args: CreateArguments, context: Context, info: GraphQLResolveInfo): CreateCall {
  checkSelection(info);
  return {
    engine: context.engine,
    caller: requireCaller(context),
    requestId: context.requestId,
    notes: context.notes,
    operation: info.fieldName,
    key: findIdempotencyKey(args, context, info.path.key),
    isAwaited: context.isAwaited,
    collection: args.collection ?? undefined,
    issues: [...argumentIssues(args), ...intervalIssues(args)],
  };
}

/**
 * The key of a create: the client's key or, over a WebSocket or callbacks, one derived from the operation id and the field's path.
 * The stock graphql-ws client keeps that id across its silent retries, and resends mutations too.
 */
export function findIdempotencyKey(
  args: Pick<CreateArguments, 'idempotencyKey'>,
  { operationId, transport }: Pick<Context, 'operationId' | 'transport'>,
  responseKey: string | number,
): IdempotencyKey | undefined {
  if (args.idempotencyKey !== null && args.idempotencyKey !== undefined)
    return { source: 'client', value: args.idempotencyKey };
  if (operationId === undefined || !hasUniqueId({ operationId, transport })) return undefined;
  return { source: 'operation', value: `${operationId.toLowerCase()}:${responseKey}` };
}

/** Whether the operation id identifies the creates of an operation. */
export function hasUniqueId({ operationId, transport }: Pick<Context, 'operationId' | 'transport'>): boolean {
  return (
    (transport === 'websocket' || transport === 'callback') &&
    operationId !== undefined &&
    uuid.test(operationId)
  );
}

/** Ids of other forms, such as counters, are not unique enough to identify an intent. */
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Violations in the create's own arguments. They are reported together with those of its input. */
function argumentIssues(args: CreateArguments): readonly InputIssue[] {
  return (['idempotencyKey', 'collection'] as const).flatMap((name) => {
    const label = args[name];
    return label === null || label === undefined ? [] : labelIssues([name], label);
  });
}
