import { InvalidInputError, NotContinuableError, type NotContinuableReason } from '../errors.ts';
import type { ByteHold } from '../lib/fairness/byte-holds.ts';
import { asJsonObject, type JsonObject } from '../lib/json.ts';
import { type GenerationSummary, isStoredOutput, type StoredOutput } from '../store/records.ts';
import { describeReason, findThreadReason } from './not-continuable.ts';
import type { Operation } from './engine.ts';
import { readInBatches } from './read-in-batches.ts';

/** One generation of a thread, with what was said in it. */
export interface RecordedTurn {
  readonly generation: GenerationSummary;
  readonly input: JsonObject;
  readonly output: StoredOutput | undefined;
}

/** @throws NotContinuableError */
export function refuse(
  { id }: Pick<GenerationSummary, 'id'>,
  reason: NotContinuableReason,
  message = describeReason(reason),
): never {
  throw new NotContinuableError(reason, `The generation of continueFrom cannot be continued. ${message}`, id);
}

export interface ReadThread {
  readonly isContinuable: (generation: GenerationSummary) => boolean;
  /** Gets the bytes of the contents before they are read: a small request can name a large thread. */
  readonly hold: ByteHold;
}

/**
 * Reads the thread that ends with this generation, oldest turn first, in a few statements.
 * @throws InvalidInputError if the caller has no such generation, NotContinuableError if its thread cannot be continued
 */
export async function readThread(
  { engine, caller }: Pick<Operation, 'engine' | 'caller'>,
  id: string,
  { isContinuable, hold }: ReadThread,
): Promise<readonly RecordedTurn[]> {
  const { store, maxThreadBytes } = engine;
  const { turns, isWhole } = await store.findThread(caller.owner, id);
  const last = turns.at(-1)?.generation;
  if (!last?.isVisible) throw notFound(id);
  if (!isContinuable(last)) return refuse(last, 'NOT_A_CHAT');
  const bytes = turns.reduce((sum, turn) => sum + turn.bytes, 0);
  const reason = findThreadReason(last, { turns: turns.length, bytes, isWhole }, maxThreadBytes);
  if (reason === 'TOO_LARGE') return refuse(last, reason, tooLarge(bytes, maxThreadBytes));
  if (reason !== undefined) return refuse(last, reason);
  await hold.reserve(bytes);
  const contents = await readInBatches(turns, {
    sizeOf: (turn) => turn.bytes,
    read: async (batch) => {
      const ids = batch.map(({ generation }) => generation.id);
      const refs = (['input', 'output'] as const).flatMap((name) => ids.map((each) => ({ id: each, name })));
      const values = await store.findContents(caller.owner, refs);
      return ids.map((_id, index) => ({ input: values[index], output: values[ids.length + index] }));
    },
  });
  return turns.map(({ generation }, index) => toTurn(generation, contents[index]));
}

function toTurn(
  generation: GenerationSummary,
  contents: { readonly input: unknown; readonly output: unknown } | undefined,
): RecordedTurn {
  // Deleted after the thread was read.
  if (contents?.input === undefined) return refuse(generation, 'ANCESTOR_DELETED');
  return {
    generation,
    input: asJsonObject(contents.input) ?? {},
    output: isStoredOutput(contents.output) ? contents.output : undefined,
  };
}

function notFound(id: string): InvalidInputError {
  return new InvalidInputError([
    {
      path: ['input', 'continueFrom'],
      message: 'A chat of the caller with this id was not found.',
      limit: 'id of a chat of the caller',
      received: id.slice(0, 100),
    },
  ]);
}

function tooLarge(bytes: number, maxBytes: number): string {
  return `The records of its conversation have ${bytes} bytes, and at most ${maxBytes} are allowed (MAX_THREAD_BYTES). Send the messages that matter yourself.`;
}
