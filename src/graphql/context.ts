import { RequestError } from '../errors.ts';
import type { Caller } from '../gateway/caller.ts';
import type { Engine, Operation } from '../generations/engine.ts';
import type { OperationNotes } from '../generations/operation-notes.ts';
import type { TraceContext } from '../lib/trace-context.ts';
import type { AnswerBudget } from './answer-budget.ts';
import type { Loaders } from './loaders.ts';

export type Transport = 'http' | 'sse' | 'multipart' | 'websocket' | 'callback';

/** The context of one operation. Each event of a subscription has its own loaders and budget. */
export interface Context {
  readonly engine: Engine;
  /** Undefined if the request has no credential. */
  readonly caller: Caller | undefined;
  readonly requestId: string;
  readonly transport: Transport;
  /** Network address of the client. */
  readonly address: string;
  /** Absent in the events of a subscription. */
  readonly notes?: OperationNotes | undefined;
  /** The trace that the operation belongs to. */
  readonly trace?: TraceContext | undefined;
  /** The operation id on its WebSocket, which the stock client keeps across its silent retries, or its subscription id. */
  readonly operationId?: string | undefined;
  /** Whether its client still waits, on its WebSocket. Absent in the events of a subscription. */
  readonly isAwaited?: (() => boolean) | undefined;
  readonly loaders: Loaders;
  /** Limits the answer of this execution. */
  readonly budget: AnswerBudget;
  /** What root fields have returned already, by name in the answer. They do not resolve again. */
  readonly rootValues?: RootValues | undefined;
}

/** Each function returns the value or promise of a root field, or throws its error. */
export type RootValues = ReadonlyMap<string, () => unknown>;

const credentialNames = { passthrough: '<API key>', jwt: '<token>', both: '<API key or token>' } as const;

/** @throws RequestError UNAUTHENTICATED */
export function requireCaller(context: Context): Caller {
  if (context.caller) return context.caller;
  const systemToken =
    context.engine.acceptedCredential === 'jwt' ? '' : ' A system token may be sent without a scheme.';
  throw new RequestError(
    'UNAUTHENTICATED',
    `This operation needs a credential. Send "Authorization: Bearer ${credentialNames[context.engine.acceptedCredential]}" as a header or in connectionParams.${systemToken} Schemes other than Bearer are not supported.`,
  );
}

/** The engine's view of an operation. @throws RequestError UNAUTHENTICATED */
export function toOperation(context: Context): Operation {
  const { engine, requestId, notes } = context;
  return { engine, requestId, caller: requireCaller(context), notes };
}
