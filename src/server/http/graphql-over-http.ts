import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type GraphQLError, OperationTypeNode } from 'graphql';
import { type ExpectedError, RateLimitError, RequestError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { joinBuffers } from '../../lib/add-piece.ts';
import { type JsonText, lengthOfJson } from '../../lib/json-pieces.ts';
import { outcomeOnce } from '../../lib/once.ts';
import { aborted, readBody } from '../admission/read-body.ts';
import type { ReceivedBody, ReceivedBytes } from '../admission/received-bytes.ts';
import { readHeaders } from '../callers/request-headers.ts';
import type { OperationArgs } from '../operation/execution.ts';
import {
  isRefused,
  Operation,
  type OperationOptions,
  type ReceivedParams,
  type Refused,
} from '../operation/operation.ts';
import { isLargeRequest, parseLargeRequest, prepareSmallRequest } from '../operation/parse-request.ts';
import { sendRefusal } from '../sending/refusal.ts';
import type { TrackedResponse } from '../sending/tracked-response.ts';
import type { CallbackRequest } from '../callbacks/callback-request.ts';
import type { Callbacks } from '../callbacks/callbacks.ts';
import { transportOf } from './event-replies.ts';
import { type HttpStatus, statusOfAnswer, statusOfRefused, statusOfResult } from './http-status.ts';
import { type JsonMediaType, type JsonPost, readJsonPost } from './json-post.ts';
import { createYogaHandler, type Exchange } from './yoga.ts';

export interface GraphqlHandlerOptions extends OperationOptions {
  readonly receivedBytes: ReceivedBytes;
  readonly clock: Clock;
  readonly addressOf: (request: IncomingMessage) => string;
  /** Absent if events are posted to no address. */
  readonly callbacks?: Callbacks | undefined;
}

/** Reads and admits GraphQL requests over HTTP, and answers a JSON POST. Yoga answers subscriptions and all other requests. */
export function createGraphqlHandler(options: GraphqlHandlerOptions) {
  const yoga = createYogaHandler(options);
  return async (req: IncomingMessage, res: TrackedResponse, requestId: string): Promise<void> => {
    const operation = new Operation(options, {
      transport: transportOf(res.acceptedRanges),
      requestId,
      address: options.addressOf(req),
      headers: readHeaders(req),
    });
    res.operation = operation;
    try {
      await operation.identify();
      // The client has left: no event says so any more.
      if (res.destroyed) return;
      const received = options.receivedBytes.open(() => operation.source);
      res.once('close', () => {
        received.close();
        if (!operation.isLasting) operation.release();
      });
      const readJson = await receiveJson(options, { req, received, operation });
      // The client may have left while a large body was parsed, which releases the permit.
      if (readJson && !res.destroyed)
        await answer({ req, res, operation, readJson }, yoga, options.callbacks);
    } catch (error) {
      if (!(error instanceof RateLimitError || error instanceof RequestError)) throw error;
      operation.refuse(error);
      const { code, message, retry, retryAfterSeconds } = error;
      // Closes the connection instead of reading the rest of the body.
      const headers = { connection: 'close' };
      sendRefusal(res, { status: statusOf(error), code, message, retry, retryAfterSeconds, headers });
    }
  };
}

interface Receiving {
  readonly req: IncomingMessage;
  readonly received: ReceivedBody;
  readonly operation: Operation;
}

/**
 * Receives the body of an operation, and parses it if it is large. Undefined if the operation is not executed. Holds the body
 * only until it returns: the execution may take minutes. @throws RequestError or RateLimitError
 */
async function receiveJson(
  { clock }: GraphqlHandlerOptions,
  { req, received, operation }: Receiving,
): Promise<Exchange['readJson'] | undefined> {
  try {
    const body = req.method === 'POST' ? await readBody(req, { received, clock }) : [];
    if (body === aborted || !(await operation.admit())) return undefined;
    if (isLargeRequest(body)) return await parseEarly(body);
    const text = decodeSmall(body);
    return outcomeOnce(text === undefined ? notUtf8 : prepareSmallRequest(text));
  } finally {
    received.close();
  }
}

function notUtf8(): never {
  throw new SyntaxError('the body is not UTF-8');
}

/** Undefined if it is not UTF-8: other characters in place of its bytes could be paid for. */
function decodeSmall(body: readonly Buffer[]): string | undefined {
  const bytes = joinBuffers(body);
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** @throws RequestError if it has too many values */
async function parseEarly(body: Buffer[]): Promise<() => unknown> {
  try {
    const parsed = await parseLargeRequest(body);
    return () => parsed;
  } catch (error) {
    if (error instanceof RequestError) throw error;
    return () => {
      throw error;
    };
  }
}

async function answer(
  exchange: Exchange,
  yoga: ReturnType<typeof createYogaHandler>,
  callbacks: Callbacks | undefined,
): Promise<void> {
  const { req, res, operation } = exchange;
  const post = findJsonPost(exchange);
  if (!post) return yoga(req, res, { ...exchange });
  const { params, mediaType } = post;
  const callback = callbacks && readCallback(callbacks, req, params, operation);
  if (callback && 'errors' in callback) return sendRefused(res, callback, mediaType);
  const prepared = operation.prepare(params);
  if (isRefused(prepared)) return sendRefused(res, prepared, mediaType);
  if (operation.type === OperationTypeNode.SUBSCRIPTION) {
    if (!callbacks || !callback) return yoga(req, res, { ...exchange, prepared });
    const { errors, status } = await openCallback({ callbacks, callback, operation, prepared });
    return send(res, JSON.stringify(errors ? { errors } : { data: null }), mediaType, status);
  }
  const answered = await operation.answer(prepared);
  operation.release();
  send(res, await operation.write(answered), mediaType, statusOfAnswer(answered.result));
}

/** Undefined if it asks for no callbacks. */
function readCallback(
  callbacks: Callbacks,
  { headers }: IncomingMessage,
  { extensions }: ReceivedParams,
  operation: Operation,
): CallbackRequest | Refused | undefined {
  try {
    const callback = callbacks.read(headers.accept, extensions);
    if (callback) operation.arriveByCallback(callback.subscriptionId);
    return callback;
  } catch (error) {
    return operation.refuse(error, 'caller');
  }
}

interface CallbackOpening {
  readonly callbacks: Callbacks;
  readonly callback: CallbackRequest;
  readonly operation: Operation;
  readonly prepared: OperationArgs;
}

/** Opens a subscription that outlives the request. Never rejects. */
async function openCallback({
  callbacks,
  callback,
  operation,
  prepared,
}: CallbackOpening): Promise<{ errors?: readonly GraphQLError[]; status?: HttpStatus | undefined }> {
  operation.isLasting = true;
  try {
    const errors = await callbacks.open(callback, operation, prepared);
    if (!errors) return {};
    operation.release();
    return { errors, status: statusOfResult({ errors }) };
  } catch (error) {
    const refused = operation.refuse(error, 'caller', prepared);
    operation.release();
    const { errors } = refused;
    return { errors, status: statusOfResult({ errors }) ?? statusOfRefused(refused) };
  }
}

function sendRefused(res: TrackedResponse, refused: Refused, mediaType: JsonMediaType): void {
  send(res, JSON.stringify({ errors: refused.errors }), mediaType, statusOfRefused(refused));
}

function findJsonPost({ req, res, readJson }: Exchange): JsonPost | undefined {
  try {
    return readJsonPost(req, { acceptedRanges: res.acceptedRanges, readJson });
  } catch {
    return undefined; // Yoga reports malformed JSON.
  }
}

const ok: HttpStatus = { status: 200 };

function send(
  response: TrackedResponse,
  text: JsonText,
  mediaType: JsonMediaType,
  { status, spec, headers }: HttpStatus = ok,
): void {
  if (response.destroyed || response.writableEnded) return;
  response.writeHead(spec && mediaType === 'application/json' ? 200 : status, {
    'Content-Type': `${mediaType}; charset=utf-8`,
    ...headers,
    'content-length': typeof text === 'string' ? Buffer.byteLength(text) : lengthOfJson(text),
  });
  if (typeof text === 'string') response.write(text);
  else for (const piece of text) response.write(piece);
  response.end();
}

function statusOf(error: ExpectedError): number {
  if (error.code === 'REQUEST_TIMEOUT') return 408;
  return error.code === 'RATE_LIMITED' ? 429 : 413;
}
