import type { Caller } from '../../gateway/caller.ts';
import type { Context, Transport } from '../../graphql/context.ts';
import type { Engine } from '../../generations/engine.ts';
import { createOperationNotes } from '../../generations/operation-notes.ts';
import { AnswerBudget } from '../../graphql/answer-budget.ts';
import { Loaders } from '../../graphql/loaders.ts';
import type { ByteHold } from '../../lib/fairness/byte-holds.ts';
import type { ClientName } from '../callers/client-name.ts';
import type { TraceContext } from '../../lib/trace-context.ts';

export interface ContextOptions {
  readonly caller: Caller | undefined;
  readonly transport: Transport;
  readonly requestId: string;
  readonly address: string;
  readonly operationId?: string | undefined;
  readonly isAwaited?: (() => boolean) | undefined;
  readonly trace?: TraceContext | undefined;
  readonly client?: ClientName | undefined;
  /** How long the operation waited for admission. */
  readonly waitedMs?: number | undefined;
  /** The setting whose limit it waited for. */
  readonly waitedFor?: string | undefined;
}

export function createContext(engine: Engine, given: ContextOptions): Context {
  const { waitedMs, waitedFor, client, ...options } = given;
  const { trace, transport, address } = options;
  // Gateway requests for this caller join the same trace.
  const caller = options.caller && trace ? { ...options.caller, trace } : options.caller;
  return forExecution({
    ...options,
    caller,
    engine,
    notes: createOperationNotes({ transport, address, client, waitedMs, waitedFor }),
  });
}

/**
 * Size of an answer without a credential. Such answers describe the API. They cost the client nothing, and aliases repeat
 * their values.
 */
const maxAnonymousAnswerBytes = 262_144;

/** The context with loaders and a budget of its own. `hold` counts what it reads, for its owner. */
export function forExecution(context: Omit<Context, 'loaders' | 'budget'>, hold?: ByteHold): Context {
  const { engine, caller } = context;
  const { maxAnswerBytes } = engine;
  const budget = new AnswerBudget(
    caller ? maxAnswerBytes : Math.min(maxAnswerBytes, maxAnonymousAnswerBytes),
    hold,
  );
  return { ...context, budget, loaders: new Loaders(engine, caller, budget) };
}
