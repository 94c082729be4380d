import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ExpectedError, RateLimitError, RequestError } from '../errors.ts';
import type { Caller } from '../gateway/caller.ts';
import type { Clock } from '../lib/clock.ts';
import type { Admission } from './admission/admission.ts';
import type { OperationSource } from './admission/admission-path.ts';
import { aborted, readBody, SlowBodyError } from './admission/read-body.ts';
import type { ReceivedBytes } from './admission/received-bytes.ts';
import type { Callers } from './callers.ts';
import { sendRefusal } from './refusal.ts';
import type { ServerContext } from './yoga.ts';

export interface GraphqlHandlerOptions {
  readonly admission: Admission;
  readonly receivedBytes: ReceivedBytes;
  readonly clock: Clock;
  readonly callers: Callers;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly execute: (
    request: IncomingMessage,
    response: ServerResponse,
    context: ServerContext,
  ) => Promise<void> | void;
}

/** Reads and admits GraphQL requests over HTTP. Refuses those beyond a limit. */
export function createGraphqlHandler(options: GraphqlHandlerOptions) {
  const { callers, addressOf } = options;
  return async (req: IncomingMessage, res: ServerResponse, requestId: string): Promise<void> => {
    const caller = await findCaller(callers, req);
    try {
      await handle(options, { req, res, requestId, source: { caller, address: addressOf(req) } });
    } catch (error) {
      if (!(error instanceof RateLimitError || error instanceof RequestError)) throw error;
      const { code, message, retryAfterSeconds } = error;
      // Closes the connection instead of reading the rest of the body.
      const headers = { connection: 'close' };
      sendRefusal(res, { status: statusOf(error), code, message, retryAfterSeconds, headers });
    }
  };
}

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  readonly source: OperationSource;
}

/** @throws RequestError or RateLimitError beyond a limit */
async function handle(
  { admission, receivedBytes, clock, execute }: GraphqlHandlerOptions,
  { req, res, requestId, source }: Exchange,
): Promise<void> {
  const received = receivedBytes.open(() => source);
  res.once('close', received.close);
  const body = req.method === 'POST' ? await readBody(req, { received, clock }) : undefined;
  if (body === aborted) return;
  const permit = admission.enter(source);
  res.once('close', permit.release);
  if (permit.admitted && !(await permit.admitted)) return;
  received.close();
  await execute(req, res, { req, res, requestId, permit, body });
}

function statusOf(error: ExpectedError): number {
  if (error instanceof SlowBodyError) return 408;
  return error.code === 'RATE_LIMITED' ? 429 : 413;
}

/** Undefined also for an unusable identity, which the operation's context reports. */
async function findCaller(callers: Callers, { headers }: IncomingMessage): Promise<Caller | undefined> {
  try {
    return await callers.find({ headers });
  } catch {
    return undefined;
  }
}
