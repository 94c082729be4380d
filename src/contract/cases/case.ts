import { NotApplicable } from '../not-applicable.ts';
import type { World } from '../world.ts';

/** One check of a rule, on what its stage has opened. */
export interface Case<Opened = unknown> {
  /** Number of its rule. */
  readonly rule: string;
  readonly name: string;
  /** Whether it breaks connections. @default false */
  readonly isFault?: boolean;
  /** Chats that it creates itself. @default 0 */
  readonly chats?: number;
  run(opened: Opened, world: World): Promise<void>;
}

/** Cases that share chats. */
export interface Stage<Opened = unknown> {
  readonly name: string;
  /** Chats that it creates, each time that it opens. */
  readonly chats: number;
  /** Most cases at the same time, on one set of chats. The next ones get new chats. @default all */
  readonly waveSize?: number;
  open(world: World): Promise<Opened>;
  readonly cases: readonly Case<Opened>[];
}

/** @throws Error with the message unless the condition is true */
export function check(condition: boolean, message: string | (() => string)): asserts condition {
  if (!condition) throw new Error(typeof message === 'string' ? message : message());
}

export function checkEqual(actual: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  check(one === other, () => `${what} is ${shorten(one)}, expected ${shorten(other)}`);
}

function shorten(text = 'undefined'): string {
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
}

/** @throws Error unless the promise rejects with a message that contains this code */
export async function checkRefused(waiting: Promise<unknown>, code: string): Promise<void> {
  const problem = await waiting.then(
    (value) => `was accepted: ${shorten(JSON.stringify(value))}`,
    (error: unknown) => {
      if (error instanceof NotApplicable) throw error;
      return messageOf(error);
    },
  );
  check(problem.includes(code), `expected ${code}: it ${problem}`);
}

/** Stock clients reject with errors, lists of errors, or events of closed sockets. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  // A `CloseEvent` of a socket, or errors of GraphQL.
  const { code, reason }: { readonly code?: unknown; readonly reason?: unknown } =
    typeof error === 'object' && error ? error : {};
  if (typeof code !== 'number') return JSON.stringify(error);
  return `socket closed with ${code} ${typeof reason === 'string' ? reason : ''}`;
}
