import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { RateLimitError, RecordsUnavailableError, RequestError } from '../../errors.ts';
import type { ByteRange } from '../../files/file-store.ts';
import type { Files, ServedFile, UploadOutcome } from '../../files/files.ts';
import { withLength } from '../../files/read-whole.ts';
import type { Clock } from '../../lib/clock.ts';
import { isLogged, type Log } from '../../lib/log.ts';
import { readInTime } from '../admission/read-in-time.ts';
import { sendJson, sendRefusal } from '../sending/refusal.ts';
import type { Handler } from './routes.ts';

interface StoredFilesOptions {
  readonly files: Pick<Files, 'findAt' | 'open' | 'receive'>;
  readonly now: number;
  /** For clients that are slow. */
  readonly clock: Clock;
  readonly log: Log;
}

type Served = [...Parameters<Handler>, StoredFilesOptions];

/** Serves and receives files. Their signed addresses are the only credential, and every other address is unknown. */
export async function serveStoredFile(...served: Served): Promise<void> {
  const [{ method }, response, requestId, { log }] = served;
  try {
    await (method === 'PUT' ? receive(...served) : send(...served));
  } catch (err) {
    if (!(err instanceof RecordsUnavailableError) || response.headersSent) throw err;
    log.error({ err, requestId }, 'a file was not served: the records or the store are unavailable');
    sendRefusal(response, unavailable);
  }
}

/** Shows that the store has the file: HEAD is answered like GET. */
const firstByte = { start: 0, end: 0 };

async function send(...[request, response, requestId, { files, now, log }]: Served): Promise<void> {
  const { method, url = '' } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const found = isRead ? await files.findAt(url) : undefined;
  if (!found) return sendRefusal(response, isRead ? unknown : notAllowed);
  const { file } = found;
  const headers = headersOf(found, now);
  const { 'if-match': expected = '*', 'if-none-match': known } = request.headers;
  if (!expected.split(',').some((tag) => ['*', headers.etag].includes(tag.trim()))) {
    response.writeHead(412, headers).end();
    return;
  }
  if (known?.trim() === '*' || known?.includes(headers.etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const range = readRange(request, file.sizeBytes, headers.etag);
  if (range === 'unsatisfiable') {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${file.sizeBytes}` }).end();
    return;
  }
  const length = range ? range.end - range.start + 1 : file.sizeBytes;
  const head = {
    ...headers,
    'content-type': file.contentType,
    'content-length': length,
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${file.sizeBytes}` }),
  };
  const content = await files.open(file, method === 'HEAD' ? firstByte : range);
  if (!content) {
    // Unless it was deleted meanwhile, the store has lost it, or the servers do not share their store.
    if (await files.findAt(url)) log.error({ requestId, key: file.key }, 'a stored file is not in the store');
    return sendRefusal(response, unknown);
  }
  if (method === 'HEAD') {
    content.destroy();
    response.writeHead(200, head).end();
    return;
  }
  response.isPulled = true;
  response.writeHead(range ? 206 : 200, head);
  // A client that leaves ends it.
  await pipeline(content, withLength(length), response).catch((err: unknown) => {
    if (err instanceof RangeError)
      log.error({ err, requestId, key: file.key }, 'a stored file has another size than its record');
    else if (isLogged(log, 'debug')) log.debug({ err, requestId }, 'a stored file was not sent whole');
  });
}

async function receive(...[request, response, requestId, { files, clock, log }]: Served): Promise<void> {
  const { url = '', headers } = request;
  const length = headers['content-length'];
  const body = readInTime(request, clock);
  let outcome: UploadOutcome;
  try {
    outcome = await files.receive(url, body, length === undefined ? undefined : Number(length));
  } catch (err) {
    if (err instanceof RequestError) return sendRefusal(response, { ...tooSlow, message: err.message });
    if (err instanceof RateLimitError) {
      const { message, retryAfterSeconds, setting } = err;
      return sendRefusal(response, { ...tooMany, message, retryAfterSeconds, setting });
    }
    // The client has left, and may send the file again.
    if (err !== request.errored) throw err;
    if (isLogged(log, 'debug')) log.debug({ err, requestId }, 'an upload was not received whole');
    return;
  }
  if (outcome === 'STORED') sendJson(response, 201, { stored: true });
  else sendRefusal(response, { code: 'BAD_REQUEST', ...refusals[outcome], headers: { connection: 'close' } });
}

const refusals = {
  UNKNOWN: {
    status: 404,
    message:
      'There is no open upload at this address: it is unknown or has expired, has its file, or receives it now.',
  },
  WRONG_SIZE: { status: 400, message: 'The size of the file is not the declared one. Send the whole file.' },
  WRONG_TYPE: { status: 415, message: 'The file is not of its declared type. Send a file of that type.' },
  NO_ROOM: {
    status: 507,
    retry: 'LATER',
    message: 'There is no room for the file: a limit of stored bytes is reached. Retry later.',
  },
} as const;

const tooMany = { status: 429, code: 'RATE_LIMITED', headers: { connection: 'close' } } as const;
const tooSlow = { status: 408, code: 'REQUEST_TIMEOUT', headers: { connection: 'close' } } as const;

const unavailable = {
  status: 503,
  code: 'RECORDS_UNAVAILABLE',
  // Nothing is charged for a file.
  retry: 'LATER',
  retryAfterSeconds: 5,
  message: 'The server cannot read or write its files or records now. Try again later.',
  // An upload has not been read.
  headers: { connection: 'close' },
} as const;

const unknown = {
  status: 404,
  code: 'BAD_REQUEST',
  message: 'There is no file at this address, or it has expired. Read `Asset.url` again.',
} as const;
const notAllowed = {
  status: 405,
  code: 'BAD_REQUEST',
  message: 'Files can only be read and uploaded.',
  headers: { allow: 'GET, HEAD, PUT' },
} as const;

function headersOf({ file, disposition, expiresAt }: ServedFile, now: number) {
  const seconds = Math.max(0, Math.floor((expiresAt - now) / 1000));
  return {
    etag: `"${file.hash}"`,
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${seconds}, immutable`,
    'content-disposition': disposition,
    // Whatever the bytes are, no browser runs them. In a tab of their own, audio and video load themselves once more.
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox allow-same-origin; default-src 'none'; media-src 'self'",
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'cross-origin',
  } as const;
}

/**
 * One range. Undefined for the whole file, also if several ranges are asked for, which RFC 9110 allows, and for HEAD, to which it
 * gives no ranges.
 */
function readRange(
  { method, headers: { range, 'if-range': condition } }: IncomingMessage,
  size: number,
  etag: string,
): ByteRange | 'unsatisfiable' | undefined {
  if (method !== 'GET' || range === undefined || (condition !== undefined && condition !== etag))
    return undefined;
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim()) ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(first) > Number(last)) return undefined;
  return start > end ? 'unsatisfiable' : { start, end };
}
