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
import type { ReceivedBody, ReceivedBytes } from '../admission/received-bytes.ts';
import type { Callers } from '../callers/callers.ts';
import { decodeLargeRequest, isLargeRequest, parseLargeRequest } from '../operation/parse-request.ts';
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
async function handle(options: GraphqlHandlerOptions, { source, ...arrival }: Arrival): Promise<void> {
  const { admission, receivedBytes, execute } = options;
  const { req, res } = arrival;
  const received = receivedBytes.open(() => source);
  let permit: Permit | undefined;
  res.once('close', () => {
    received.close();
    permit?.release();
  });
  let waitedMs: number | undefined;
  const admit = async (): Promise<boolean> => {
    permit = admission.enter(source);
    if (!permit.admitted) return true;
    const queuedAt = performance.now();
    const isAdmitted = await permit.admitted;
    waitedMs = performance.now() - queuedAt;
    return isAdmitted;
  };
  const readJson = await receiveJson(options, { req, received, admit });
  if (permit && readJson) await execute({ ...arrival, permit, waitedMs, readJson });
}

interface Receiving {
  readonly req: IncomingMessage;
  readonly received: ReceivedBody;
  /** Resolves to false if the operation is not executed. */
  readonly admit: () => Promise<boolean>;
}

type ReceiveOptions = Pick<GraphqlHandlerOptions, 'clock' | 'pauses'>;

/**
 * Receives the body of an operation, and parses it if it is large. Undefined if the operation is not executed. Holds the body
 * and its text only until it returns: the execution may take minutes.
 */
async function receiveJson(
  options: ReceiveOptions,
  receiving: Receiving,
): Promise<(() => unknown) | undefined> {
  const { received } = receiving;
  const text = await receiveText(options, receiving);
  if (text === undefined) return undefined;
  try {
    return isLargeRequest(text)
      ? await parseEarly(text, options.pauses)
      : outcomeOnce(() => parseRequestJson(text));
  } finally {
    received.close();
  }
}

/** Holds the bytes of the body only until it returns. */
async function receiveText(
  { clock, pauses }: ReceiveOptions,
  { req, received, admit }: Receiving,
): Promise<string | undefined> {
  const body = req.method === 'POST' ? await readBody(req, { received, clock }) : undefined;
  if (body === aborted || !(await admit())) return undefined;
  if (!body) return '';
  return isLargeRequest(body) ? decodeLargeRequest(body, pauses) : body.toString('utf8');
}

function valueOf(find: () => Caller | undefined): Caller | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

/** Parses a large text with pauses. @throws RequestError if it has too many values */
async function parseEarly(text: string, pauses: Pauses): Promise<() => unknown> {
  try {
    const parsed = await parseLargeRequest(text, pauses);
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
