import { getOperationAST, GraphQLError } from 'graphql';
import { RateLimitError, RequestError } from '../../errors.ts';
import type { Engine } from '../../generations/engine.ts';
import type { OperationNotes } from '../../generations/operation-notes.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { Transport } from '../../graphql/context.ts';
import type { TraceContext } from '../../lib/trace-context.ts';
import { abbreviate } from '../../lib/text.ts';
import type { ClientName } from '../callers/client-name.ts';
import type { OperationArgs } from './execution.ts';
import { traceRefused } from './trace-refused.ts';

/** Reports the outcome of an operation, at its first call. `errors`: of a result, or those that prevented it. */
export type ReportOutcome = (
  outcome: ResultErrors & { readonly exceeded?: ExceededLimit | undefined },
) => void;

export interface ResultErrors {
  readonly errors?: readonly GraphQLError[] | undefined;
}

/** The limit of this server that an operation exceeds. */
export interface ExceededLimit {
  readonly reason: string;
  /** Its setting, or its name for clients. Absent for fixed limits. */
  readonly limit?: string | undefined;
}

/** Call when an operation starts. Its outcome is one log line, and its duration a measurement. */
export function reportOperation({ document, operationName, contextValue }: OperationArgs): ReportOutcome {
  const operation = getOperationAST(document, operationName);
  const startedAt = performance.now();
  let isReported = false;
  return ({ errors, exceeded }) => {
    if (isReported) return;
    isReported = true;
    const { engine, notes } = contextValue;
    report(engine, {
      ...contextValue,
      type: operation?.operation ?? 'query',
      name: operation?.name?.value,
      durationMs: performance.now() - startedAt,
      codes: codesOf(errors, notes),
      exceeded: exceeded ?? exceededIn(errors) ?? notedLimit(notes),
      client: notes?.client,
      notes,
    });
  };
}

/** An operation that was not executed: invalid, beyond a limit, or of an unusable identity. */
export interface RefusedOperation extends Who {
  readonly operationName: unknown;
  /** Its type, if its document was parsed. For its span. */
  readonly operationType?: string | undefined;
  readonly trace: TraceContext | undefined;
  readonly codes: readonly string[];
  readonly exceeded?: ExceededLimit | undefined;
  /** Time since its arrival. */
  readonly durationMs: number;
}

/** Reports an operation that was not executed like one that was. Its type is unknown to the log and the metric. */
export function reportRefused(
  engine: Pick<Engine, 'log' | 'metrics' | 'tracing'>,
  { operationName, operationType, trace, ...refused }: RefusedOperation,
): void {
  traceRefused(engine.tracing, { ...refused, trace, type: operationType });
  const name = typeof operationName === 'string' ? abbreviate(operationName, 100) : undefined;
  report(engine, { ...refused, name, type: undefined });
}

interface Who {
  readonly requestId: string;
  readonly transport: Transport;
  readonly address: string;
  readonly caller: Caller | undefined;
  readonly client?: ClientName | undefined;
}

interface Outcome extends Who {
  readonly type: string | undefined;
  readonly name: string | undefined;
  readonly durationMs: number;
  readonly codes: readonly string[];
  readonly exceeded?: ExceededLimit | undefined;
  readonly notes?: OperationNotes | undefined;
}

function report({ log, metrics }: Pick<Engine, 'log' | 'metrics'>, outcome: Outcome): void {
  const { requestId, transport, address, caller, type, name, durationMs, codes, exceeded, notes } = outcome;
  const waitedMs = (notes?.waitedMs ?? 0) >= 1 ? notes?.waitedMs : undefined;
  log[levelOf(codes)](
    {
      requestId,
      transport,
      operationType: type,
      operationName: name,
      owner: caller?.owner,
      address,
      ...outcome.client,
      durationMs: toTenths(durationMs),
      waitedMs: toTenths(waitedMs),
      ...(waitedMs !== undefined && { waitedFor: notes?.waitedFor }),
      ...(codes.length > 0 && { codes }),
      ...exceeded,
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
    'gengraph.limit': exceeded?.limit,
  });
}

/** The codes of top-level errors, then those of members of result unions. */
export function codesOf(errors: readonly GraphQLError[] = [], notes?: OperationNotes): readonly string[] {
  return [
    ...new Set([...errors.map(({ extensions }) => String(extensions['code'])), ...(notes?.codes ?? [])]),
  ];
}

/** The limit of this server that an error names. The gateway has limits of its own, with the same code. */
export function exceededOf(error: unknown): ExceededLimit | undefined {
  const original = error instanceof GraphQLError ? error.originalError : error;
  if (original instanceof RateLimitError || original instanceof RequestError) return exceededBy(original);
  return error instanceof GraphQLError ? exceededIn([error]) : undefined;
}

function exceededBy(error: RateLimitError | RequestError): ExceededLimit | undefined {
  const { code, message, setting } = error;
  const limit = error instanceof RateLimitError ? (error.limit ?? setting) : setting;
  return code === 'LIMIT_EXCEEDED' || limit !== undefined ? toExceeded(message, limit) : undefined;
}

function toExceeded(message: string, limit: unknown): ExceededLimit {
  return { reason: abbreviate(message, 200), ...(typeof limit === 'string' && { limit }) };
}

/**
 * The limit of this server that the first such error of a result names. Messages of other errors may quote the client or the
 * gateway.
 */
export function exceededIn(errors: readonly GraphQLError[] = []): ExceededLimit | undefined {
  for (const { message, extensions } of errors) {
    const { code, limit } = extensions;
    const isOwn = code === 'LIMIT_EXCEEDED' || (code === 'RATE_LIMITED' && typeof limit === 'string');
    if (isOwn) return toExceeded(message, limit);
  }
  return undefined;
}

/** The limit that refused a create. The error is a member of its result union. */
function notedLimit({ limit }: Partial<OperationNotes> = {}): ExceededLimit | undefined {
  return limit === undefined ? undefined : { reason: limit, limit };
}

/** Failures of the gateway, unknown outcomes, defects, and refusals by the limits of this server. */
const warned: ReadonlySet<string> = new Set([
  'INTERNAL',
  'RECORDS_UNAVAILABLE',
  'GATEWAY_ERROR',
  'SERVER_KEY_REFUSED',
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
