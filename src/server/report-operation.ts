import { type ExecutionResult, getOperationAST, GraphQLError } from 'graphql';
import { toErrorExtensions } from '../errors.ts';
import type { Engine } from '../generations/engine.ts';
import type { OperationNotes } from '../generations/operation-notes.ts';
import type { Caller } from '../gateway/caller.ts';
import type { Transport } from '../graphql/context.ts';
import { abbreviate } from '../lib/text.ts';
import type { OperationArgs } from './execution.ts';

/** Reports the outcome of an operation, at its first call. `errors`: of a result, or those that prevented it. */
export type ReportOutcome = (outcome: Pick<ExecutionResult, 'errors'>) => void;

/** Call when an operation starts. Its outcome is one log line, and its duration a measurement. */
export function reportOperation({ document, operationName, contextValue }: OperationArgs): ReportOutcome {
  const operation = getOperationAST(document, operationName);
  const startedAt = performance.now();
  let isReported = false;
  return ({ errors }) => {
    if (isReported) return;
    isReported = true;
    const { engine, notes } = contextValue;
    report(engine, {
      ...contextValue,
      type: operation?.operation ?? 'query',
      name: operation?.name?.value,
      durationMs: performance.now() - startedAt,
      codes: codesOf(errors, notes),
      reason: reasonOf(errors),
      notes,
    });
  };
}

/** An operation that was not executed: invalid, beyond a limit, or of an unusable identity. */
export interface RefusedOperation extends Who {
  readonly operationName: unknown;
  readonly codes: readonly string[];
  /** The limit of this server that it exceeds. */
  readonly reason?: string | undefined;
  /** Time since its arrival. */
  readonly durationMs: number;
}

/** Reports an operation that was not executed like one that was. Its type is unknown. */
export function reportRefused(
  engine: Pick<Engine, 'log' | 'metrics'>,
  { operationName, ...refused }: RefusedOperation,
): void {
  const name = typeof operationName === 'string' ? abbreviate(operationName, 100) : undefined;
  report(engine, { ...refused, name, type: undefined });
}

interface Who {
  readonly requestId: string;
  readonly transport: Transport;
  readonly address: string;
  readonly caller: Caller | undefined;
}

interface Outcome extends Who {
  readonly type: string | undefined;
  readonly name: string | undefined;
  readonly durationMs: number;
  readonly codes: readonly string[];
  readonly reason?: string | undefined;
  readonly notes?: OperationNotes | undefined;
}

function report({ log, metrics }: Pick<Engine, 'log' | 'metrics'>, outcome: Outcome): void {
  const { requestId, transport, address, caller, type, name, durationMs, codes, reason, notes } = outcome;
  log[levelOf(codes)](
    {
      requestId,
      transport,
      operationType: type,
      operationName: name,
      owner: caller?.owner,
      address,
      durationMs: toTenths(durationMs),
      waitedMs: toTenths(notes?.waitedMs),
      ...(codes.length > 0 && { codes }),
      reason: reason ?? notes?.limit,
      generationId: notes?.generationId,
      taskId: notes?.taskId,
      isReplay: notes?.isReplay,
      upstreamStatus: notes?.upstreamStatus,
      upstreamMs: toTenths(notes?.upstreamMs),
    },
    'operation',
  );
  metrics?.record('gengraph.graphql.operation.duration', durationMs / 1000, {
    'graphql.operation.type': type,
    // Clients choose the name of an operation that is not executed, without a credential.
    'graphql.operation.name': type === undefined ? undefined : name,
    'gengraph.transport': transport,
    'error.type': codes[0],
  });
}

/** The codes of top-level errors, then those of members of result unions. */
export function codesOf(errors: readonly GraphQLError[] = [], notes?: OperationNotes): readonly string[] {
  return [
    ...new Set([...errors.map(({ extensions }) => String(extensions['code'])), ...(notes?.codes ?? [])]),
  ];
}

const ownLimits: ReadonlySet<unknown> = new Set(['RATE_LIMITED', 'LIMIT_EXCEEDED']);

/** The message of the first error about a limit of this server. Messages of other errors may quote the client. */
export function reasonOf(errors: readonly GraphQLError[] = []): string | undefined {
  const refused = errors.find(({ extensions }) => ownLimits.has(extensions['code']));
  return refused && abbreviate(refused.message, 200);
}

/** The code that the client gets for an error that prevents an operation. */
export function codeOf(error: unknown): string {
  const original = error instanceof GraphQLError ? error.originalError : error;
  const code = toErrorExtensions(original)?.['code'];
  if (typeof code === 'string') return code;
  if (!(error instanceof GraphQLError)) return 'INTERNAL';
  const { code: own } = error.extensions;
  return typeof own === 'string' ? own : 'BAD_REQUEST';
}

/** Failures of the gateway, unknown outcomes, and refusals by the limits of this server. A defect has an error line of its own. */
const warned: ReadonlySet<string> = new Set([
  'GATEWAY_ERROR',
  'OUTCOME_UNKNOWN',
  'RATE_LIMITED',
  'LIMIT_EXCEEDED',
  'AUTH_UNAVAILABLE',
  'INTERRUPTED',
  'STREAM_CUT',
  'STREAM_UNFINISHED',
  'STREAM_STALLED',
]);

function levelOf(codes: readonly string[]): 'warn' | 'info' {
  return codes.some((code) => warned.has(code)) ? 'warn' : 'info';
}

function toTenths(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 10) / 10;
}
