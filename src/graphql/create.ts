import type { GraphQLResolveInfo } from 'graphql';
import type { InputIssue } from '../errors.ts';
import type { CreateCall } from '../generations/create.ts';
import type { IdempotencyKey } from '../generations/create-once.ts';
import { codePoints } from '../lib/text.ts';
import type { Graph } from './graph.ts';
import { type Context, requireCaller } from './context.ts';
import { createErrors } from './errors.ts';
import { generationRef } from './refs.ts';

export function createGenerationResultRef({ builder, use }: Graph) {
  return builder.errorUnion('CreateGenerationResult', {
    description: 'The generation that was made, or why none was.',
    types: [use(generationRef), ...createErrors],
    resolveType: () => 'Generation',
  });
}

const maxKeyLength = 200;

interface CreateArgumentTexts {
  /** What a create with the same key returns. */
  readonly again: string;
  readonly collection: string;
}

const ofGeneration: CreateArgumentTexts = {
  again: 'the generation that it made is returned again',
  collection: `A conversation or project to file the generation under. \`generations\` filters by it. Up to ${maxKeyLength} characters.`,
};

/** The arguments of a create, with descriptions for what it creates. */
export function describeCreateArguments({ builder }: Graph, { again, collection }: CreateArgumentTexts) {
  return builder.args((t) => ({
    idempotencyKey: t.id({
      description: `Names this intent, at most ${maxKeyLength} characters. Send the same key on every retry: ${again}, and nothing is paid twice. The same key with other input is an IdempotencyConflictError; a refused create frees its key. Keys are kept for a week unless the operator says otherwise (IDEMPOTENCY_HOURS).`,
    }),
    collection: t.id({ description: collection }),
  }));
}

/** The arguments, besides the input, of every create that makes a generation. */
export function createArguments(graph: Graph) {
  return describeCreateArguments(graph, ofGeneration);
}

export interface CreateArguments {
  readonly idempotencyKey?: string | null | undefined;
  readonly collection?: string | null | undefined;
}

/** Converts a call of a root field into a call of the engine. @throws RequestError UNAUTHENTICATED */
export function toCreateCall(args: CreateArguments, context: Context, info: GraphQLResolveInfo): CreateCall {
  return {
    engine: context.engine,
    caller: requireCaller(context),
    requestId: context.requestId,
    operation: info.fieldName,
    key: idempotencyKeyOf(args, context, info),
    collection: args.collection ?? undefined,
    issues: argumentIssues(args),
  };
}

/**
 * The key of a create: the client's own or, over a WebSocket, one derived from the operation's id and the field's path.
 * The stock graphql-ws client keeps that id across its silent retries, and retries mutations too.
 */
function idempotencyKeyOf(
  args: CreateArguments,
  { operationId, transport }: Context,
  info: GraphQLResolveInfo,
): IdempotencyKey | undefined {
  if (args.idempotencyKey !== null && args.idempotencyKey !== undefined)
    return { source: 'client', value: args.idempotencyKey };
  if (transport !== 'websocket' || operationId === undefined || !uuid.test(operationId)) return undefined;
  return { source: 'operation', value: `${operationId.toLowerCase()}:${info.path.key}` };
}

/** Ids of other forms, such as counters, are not unique enough to identify an intent. */
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Problems of the arguments, reported together with those of the input. */
function argumentIssues(args: CreateArguments): readonly InputIssue[] {
  return (['idempotencyKey', 'collection'] as const).flatMap((name) => {
    const text = args[name];
    const length = text === null || text === undefined ? 1 : codePoints(text);
    const limit = `1 to ${maxKeyLength} characters`;
    if (length >= 1 && length <= maxKeyLength) return [];
    return [{ path: [name], message: `Must be ${limit}.`, limit, received: `${length} characters` }];
  });
}
