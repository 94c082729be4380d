import type { FormattedExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type JsonText, stringifyInPieces } from '../../lib/json-pieces.ts';
import { isLarge } from '../../lib/json-size.ts';
import { LazyMap } from '../../lib/lazy-map.ts';
import type { Pauses } from '../../lib/pauses.ts';

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[] | undefined;
}

/** Writes the data of a large answer as JSON in pieces. */
export function useLargeAnswers(pauses: Pauses): Plugin {
  return {
    async onResultProcess({ result, setResult }) {
      if (Array.isArray(result) || !('data' in result) || !isLarge(result.data)) return;
      await pauses.beginAnswer();
      const data = await stringifyInPieces(result.data, pauses);
      // Typed for text, but the body of a response may be bytes.
      const stringify = (shown: object): string =>
        Buffer.concat(joinResult(shown, data)) as unknown as string;
      setResult({ ...result, stringify });
    },
  };
}

/** The large results of one WebSocket, which graphql-ws would write in one piece. */
export interface LargeResults {
  /** Writes a large result, and returns a small payload in its place. Undefined for a result that is not large. */
  replace(id: string, result: Result): Promise<FormattedExecutionResult> | undefined;
  /** The message to send: with the large result if the text is that of a replaced one. */
  restore(text: string): JsonText;
}

const replacement: FormattedExecutionResult = { data: null };

export function createLargeResults(pauses: Pauses): LargeResults {
  return new Results(pauses);
}

class Results implements LargeResults {
  readonly #pauses: Pauses;
  readonly #byText = new LazyMap<string, readonly Buffer[]>();

  constructor(pauses: Pauses) {
    this.#pauses = pauses;
  }

  replace(id: string, result: Result): Promise<FormattedExecutionResult> | undefined {
    return isLarge(result.data) ? this.#write(id, result) : undefined;
  }

  restore(text: string): JsonText {
    const message = this.#byText.get(text);
    this.#byText.delete(text);
    return message ?? text;
  }

  async #write(id: string, result: Result): Promise<FormattedExecutionResult> {
    await this.#pauses.beginAnswer();
    const data = await stringifyInPieces(result.data, this.#pauses);
    const message = { id, type: 'next', payload: replacement };
    const head = JSON.stringify({ ...message, payload: undefined }).slice(0, -1);
    const payload = joinResult({ ...result, errors: result.errors?.map((error) => error.toJSON()) }, data);
    const parts = [Buffer.from(`${head},"payload":`), ...payload, closingBrace];
    // One part: what a slow socket has not taken of it counts as a whole.
    this.#byText.set(JSON.stringify(message), [Buffer.concat(parts)]);
    return replacement;
  }
}

const closingBrace = Buffer.from('}');

/** A result as JSON, whose data is JSON already. */
export function joinResult(result: object, data: JsonText): readonly Buffer[] {
  const rest = JSON.stringify({ ...result, data: undefined }).slice(0, -1);
  const separator = rest === '{' ? '' : ',';
  const pieces = typeof data === 'string' ? [Buffer.from(data)] : data;
  return [Buffer.from(`${rest}${separator}"data":`), ...pieces, closingBrace];
}
