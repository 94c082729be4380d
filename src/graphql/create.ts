import type { GraphQLResolveInfo } from 'graphql';
import { type InputIssue, StreamError } from '../errors.ts';
import type { Caller } from '../gateway/caller.ts';
import type { IdempotencyKey } from '../generations/create-once.ts';
import { codePoints } from '../lib/text.ts';
import { builder } from './builder.ts';
import type { Generation } from '../store/records.ts';
import type { Context } from './context.ts';
import type { Engine } from '../generations/engine.ts';
import { createErrors } from './errors.ts';
import { GenerationRef } from './refs.ts';

export const CreateGenerationResultRef = builder.errorUnion('CreateGenerationResult', {
  description: 'The generation that was made, or why none was.',
  types: [GenerationRef, ...createErrors],
  resolveType: () => 'Generation',
});

const maxKeyLength = 200;

interface CreateArgumentTexts {
  /** What the same key gives again. */
  readonly again: string;
  readonly group: string;
}

const ofGeneration: CreateArgumentTexts = {
  again: 'the generation that it made is returned again',
  group: `A conversation or project to file the generation under: its \`group\`, and a filter of \`generations\`. At most ${maxKeyLength} characters.`,
};

/** The same arguments, told in other words by creates that make something else than a generation. */
export function describeCreateArguments({ again, group }: CreateArgumentTexts) {
  return builder.args((t) => ({
    idempotencyKey: t.id({
      description: `Names this intent, at most ${maxKeyLength} characters. Send the same key on every retry: ${again}, and nothing is paid twice. The same key with other input is an IdempotencyConflictError; a refused create frees its key. Keys are kept for a week unless the operator says otherwise (IDEMPOTENCY_HOURS).`,
    }),
    group: t.id({ description: group }),
  }));
}

/** The arguments that every create takes beside its input. */
export const createArguments = describeCreateArguments(ofGeneration);

export interface CreateArguments {
  readonly idempotencyKey?: string | null | undefined;
  readonly group?: string | null | undefined;
}

/** What a resolver has beside the input. */
export interface CreateCall {
  readonly args: CreateArguments;
  readonly context: Context;
  readonly info: GraphQLResolveInfo;
}

/**
 * The key of a create: the client's own or, over a WebSocket, one made from the operation's id and the field's place.
 * The stock graphql-ws client keeps that id across its silent retries, and re-sends mutations too.
 */
export function idempotencyKeyOf(
  args: CreateArguments,
  context: Context,
  info: GraphQLResolveInfo,
): IdempotencyKey | undefined {
  if (args.idempotencyKey !== null && args.idempotencyKey !== undefined)
    return { source: 'client', value: args.idempotencyKey };
  const { operationId, transport } = context;
  if (transport !== 'websocket' || operationId === undefined || !uuid.test(operationId)) return undefined;
  return { source: 'operation', value: `${operationId.toLowerCase()}:${info.path.key}` };
}

/** What a key made, for a later twin. @throws StreamError when the record is gone: it is not sent again */
export async function getOwnGeneration({ store }: Engine, caller: Caller, id: string): Promise<Generation> {
  const [generation] = await store.findGenerations(caller.owner, [id]);
  if (generation) return generation;
  throw new StreamError(
    'NOT_RESUMABLE',
    'The record of what this key made is gone; it was not started again.',
  );
}

/** Ids of other forms (a counter, say) are not unique enough to stand for an intent. */
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** What is wrong with a create's own arguments: reported together with what is wrong with its input. */
export function argumentIssues(args: CreateArguments): readonly InputIssue[] {
  return (['idempotencyKey', 'group'] as const).flatMap((name) => {
    const text = args[name];
    const length = text === null || text === undefined ? 1 : codePoints(text);
    const limit = `1 to ${maxKeyLength} characters`;
    if (length >= 1 && length <= maxKeyLength) return [];
    return [{ path: [name], message: `Must be ${limit}.`, limit, received: `${length} characters` }];
  });
}
