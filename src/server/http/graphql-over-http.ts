import type { IncomingMessage } from 'node:http';
import { type ExpectedError, RateLimitError, RequestError } from '../../errors.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { Engine } from '../../generations/engine.ts';
import type { Clock } from '../../lib/clock.ts';
import { parseRequestJson } from '../../lib/json.ts';
import { outcomeOf, outcomeOnce } from '../../lib/once.ts';
import type { Pauses } from '../../lib/pauses.ts';
import type { Admission, Permit } from '../admission/admission.ts';
import type { OperationSource } from '../admission/admission-path.ts';
import { aborted, readBody, SlowBodyError } from '../admission/read-body.ts';
import type { RecallCaller } from '../admission/recall-callers.ts';
import type { ReceivedBytes } from '../admission/received-bytes.ts';
import type { Callers } from '../callers/callers.ts';
import { isLargeRequest, parseLargeRequest } from '../operation/parse-request.ts';
import { sendRefusal } from '../sending/refusal.ts';
import { findClient } from '../callers/client-name.ts';
import { readHeaders, transportOf } from '../callers/request-headers.ts';
import { exceededOf, reportRefused } from '../operation/report-operation.ts';
import type { HttpExchange } from '../operation/operation-stages.ts';
import { findTrace } from '../operation/traces.ts';
import type { TrackedResponse } from '../sending/tracked-response.ts';

export interface GraphqlHandlerOptions {
  readonly admission: Admission;
  readonly receivedBytes: ReceivedBytes;
  readonly clock: Clock;
  readonly pauses: Pauses;
  readonly callers: Callers;
  readonly recallCaller: RecallCaller;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly engine: Pick<Engine, 'log' | 'metrics' | 'tracing'>;
  readonly execute: (exchange: HttpExchange) => Promise<void> | void;
}

/** Reads and admits GraphQL requests over HTTP. Refuses those beyond a limit. */
export function createGraphqlHandler(options: GraphqlHandlerOptions) {
  const { engine, callers, recallCaller, addressOf } = options;
  return async (req: IncomingMessage, res: TrackedResponse, requestId: string): Promise<void> => {
    const findCaller = await outcomeOf(callers.find({ headers: readHeaders(req) }));
    // The operation reports an unusable identity.
    const caller = valueOf(findCaller);
    res.caller = caller;
    const address = addressOf(req);
    const recalling = caller && recallCaller(caller, address);
    if (recalling) await recalling;
    const transport = transportOf(req);
    const arrivedAt = performance.now();
    const refuse: HttpExchange['reportRefused'] = (refused) => {
      res.hasRefusalLine = true;
      res.hasSpan = true;
      const durationMs = performance.now() - arrivedAt;
      const trace = findTrace(req.headers);
      const client = findClient(req.headers);
      const who = { requestId, transport, address, caller, client } as const;
      reportRefused(engine, { ...refused, ...who, durationMs, trace });
    };
    try {
      const source = { caller, address };
      const onExecute = (): void => void (res.hasSpan = true);
      const who = { requestId, address, transport, findCaller } as const;
      await handle(options, { req, res, ...who, source, reportRefused: refuse, onExecute });
    } catch (error) {
      if (!(error instanceof RateLimitError || error instanceof RequestError)) throw error;
      const { code, message, retryAfterSeconds } = error;
      refuse({ codes: [code], exceeded: exceededOf(error), operationName: undefined });
      // Closes the connection instead of reading the rest of the body.
      const headers = { connection: 'close' };
      sendRefusal(res, { status: statusOf(error), code, message, retryAfterSeconds, headers });
    }
  };
}

interface Arrival extends Omit<HttpExchange, 'permit' | 'readJson'> {
  readonly source: OperationSource;
}

/** @throws RequestError or RateLimitError beyond a limit */
async function handle(
  { admission, receivedBytes, clock, pauses, execute }: GraphqlHandlerOptions,
  { source, ...arrival }: Arrival,
): Promise<void> {
  const { req, res } = arrival;
  const received = receivedBytes.open(() => source);
  let permit: Permit | undefined;
  res.once('close', () => {
    received.close();
    permit?.release();
  });
  const body = req.method === 'POST' ? await readBody(req, { received, clock }) : undefined;
  if (body === aborted) return;
  permit = admission.enter(source);
  const queuedAt = performance.now();
  if (permit.admitted && !(await permit.admitted)) return;
  const waitedMs = permit.admitted && performance.now() - queuedAt;
  received.close();
  const readJson =
    body && isLargeRequest(body)
      ? await parseEarly(body, pauses)
      : outcomeOnce((): unknown => parseRequestJson(body?.toString('utf8') ?? ''));
  await execute({ ...arrival, permit, waitedMs, readJson });
}

function valueOf(find: () => Caller | undefined): Caller | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

/** Parses a large body with pauses. @throws RequestError if it has too many values */
async function parseEarly(body: Buffer, pauses: Pauses): Promise<() => unknown> {
  try {
    const parsed = await parseLargeRequest(body, pauses);
    return () => parsed;
  } catch (error) {
    if (error instanceof RequestError) throw error;
    return () => {
      throw error;
    };
  }
}

function statusOf(error: ExpectedError): number {
  if (error instanceof SlowBodyError) return 408;
  return error.code === 'RATE_LIMITED' ? 429 : 413;
}
