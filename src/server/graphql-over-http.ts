import type { IncomingMessage, ServerResponse } from 'node:http';
import { RateLimitError } from '../errors.ts';
import type { Caller } from '../gateway/caller.ts';
import type { Admission, Permit } from './admission/admission.ts';
import type { Callers } from './callers.ts';
import { sendRefusal } from './refusal.ts';
import type { ServerContext } from './yoga.ts';

export interface GraphqlHandlerOptions {
  readonly admission: Admission;
  readonly callers: Callers;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly execute: (
    request: IncomingMessage,
    response: ServerResponse,
    context: ServerContext,
  ) => Promise<void> | void;
}

/** Admits GraphQL requests over HTTP, or answers them with status 429. */
export function createGraphqlHandler({ admission, callers, addressOf, execute }: GraphqlHandlerOptions) {
  return async (req: IncomingMessage, res: ServerResponse, requestId: string): Promise<void> => {
    const caller = await findCaller(callers, req);
    const permit = tryEnter(admission, { caller, address: addressOf(req) });
    if (permit instanceof RateLimitError) {
      const { code, message, retryAfterSeconds } = permit;
      // The connection closes, so that the server does not read the rest of the body.
      sendRefusal(res, { status: 429, code, message, retryAfterSeconds, headers: { connection: 'close' } });
      return;
    }
    res.once('close', permit.release);
    if (permit.admitted && !(await permit.admitted)) return;
    await execute(req, res, { req, res, requestId, permit });
  };
}

function tryEnter(admission: Admission, source: Parameters<Admission['enter']>[0]): Permit | RateLimitError {
  try {
    return admission.enter(source);
  } catch (error) {
    if (error instanceof RateLimitError) return error;
    throw error;
  }
}

/** Undefined also for an unusable identity, which the operation's context reports. */
async function findCaller(callers: Callers, { headers }: IncomingMessage): Promise<Caller | undefined> {
  try {
    return await callers.find({ headers });
  } catch {
    return undefined;
  }
}
