import {
  AuthenticationError,
  type ExpectedError,
  GatewayError,
  type GatewayErrorFacts,
  QuotaError,
  RateLimitError,
  ServerKeyError,
} from '../errors.ts';
import {
  asArray,
  asRecord,
  asString,
  isBlank,
  isObject,
  isRecord,
  type Json,
  stringifyJson,
} from '../lib/json.ts';
import { abbreviate } from '../lib/text.ts';
import { toMilliseconds } from '../lib/time.ts';
import type { CreateEvidence } from './create-evidence.ts';
import { redact } from './redact.ts';

type Body = Readonly<Record<string, unknown>>;

export interface ErrorReply {
  readonly status: number;
  readonly retryAfter?: string | undefined;
  readonly contentType?: string | undefined;
  /** The parsed body if it is JSON, else its text. Undefined if it could not be read. */
  readonly body: unknown;
  /** Redacted from messages: gateways often quote the rejected key. */
  readonly credential: string;
  /** Whether the credential is the server's own. Its refusals are not the caller's fault. @default false */
  readonly isServerKey?: boolean;
  readonly now: number;
  /** Part of an accepted stream, which may already be charged. */
  readonly isInStream?: boolean;
}

const quotaWords = /quota|insufficient.?(balance|credit|fund)|billing|payment/i;
const credentialWords =
  /invalid.?(api.?key|token|credential)|authenticat|unauthori[sz]ed|permission|forbidden/i;
/** A gateway may refuse content with 403. The credential is fine then. */
const moderationWords = /content.?(policy|filter)|moderat|sensitive.?(word|content)|safety|prompt.?block/i;
const rateWords = /rate.?limit|too.?many.?requests|throttl/i;

// The gateway's own words concern the account of the operator. The log has them.
const serverKeyRefused =
  'The gateway refused the key of this server. Your sign-in is not affected. Its operator must replace the key.';
const serverQuotaExhausted =
  "The quota of this server's key at the gateway is exhausted. Your sign-in is not affected. Its operator must raise the quota.";

/** Converts an error reply to an ExpectedError. The gateway documents no error format, so all common formats are supported. */
export function decodeError(reply: ErrorReply): ExpectedError {
  const { message, code, type } = readErrorBody(reply.body);
  const { status } = reply;
  const words = `${code ?? ''} ${type ?? ''}`;
  const word = code ?? type;
  const facts: GatewayErrorFacts = {
    status,
    upstreamCode: word && abbreviate(redact(word, reply.credential), 200),
    retryAfterSeconds: parseRetryAfter(reply.retryAfter, reply.now),
  };
  const text = redact((isRedirect(status) ? undefined : message) ?? describe(reply), reply.credential);
  const inStream = reply.isInStream ? 'MAY_CHARGE_AGAIN' : undefined;
  const meaning = status < 300 ? (findStatus(reply.body) ?? status) : status;
  const isRefusal = status < 300 || status === 400 || status === 401 || status === 403 || status === 429;
  const refuse = (): ExpectedError =>
    reply.isServerKey
      ? new ServerKeyError(serverKeyRefused, { ...facts, retry: inStream })
      : new AuthenticationError(text, { ...facts, retry: inStream });
  if (meaning === 402 || (isRefusal && quotaWords.test(words)))
    return reply.isServerKey
      ? new QuotaError(serverQuotaExhausted, { ...facts, retry: inStream ?? 'LATER' })
      : new QuotaError(text, { ...facts, retry: inStream });
  if (meaning === 401 || (meaning === 403 && !moderationWords.test(words))) return refuse();
  if (meaning === 429 || (status < 300 && rateWords.test(words)))
    return new RateLimitError(text, { ...facts, retry: inStream });
  if (status < 300 && credentialWords.test(words)) return refuse();
  const isTransient = (isRetryableStatus(meaning) || isRedirect(status)) && !/model.?not.?found/i.test(words);
  // The reply is not from the gateway's API, e.g. a proxy's page.
  const isForeign = status < 300 && !isRecord(reply.body) && message === undefined;
  const retry = inStream ?? (isTransient ? 'LATER' : isForeign ? 'NEVER' : 'FIX_INPUT');
  return new GatewayError(text, { ...facts, retry });
}

/** The status of HTTP that an error under HTTP 200 has as its code or status. */
export function findStatus(body: unknown): number | undefined {
  const named = [readErrorBody(body).code, asRecord(body)?.['status']].map(Number);
  return named.find((status) => Number.isInteger(status) && status >= 400 && status < 600);
}

/** Whether the words of an error are about the caller's credential, quota or rate, whatever its status. */
export function concernsCaller({ message, upstreamCode = '' }: GatewayError): boolean {
  const words = `${upstreamCode} ${message}`;
  return [quotaWords, credentialWords, rateWords].some((pattern) => pattern.test(words));
}

export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** Redirects are not followed: they could lead to a server that the operator did not name. */
export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** In 31 years: a larger number of seconds is a time. */
const minUnixTime = 1_000_000_000;
/** 24 days, the longest delay of a timer of JavaScript. Beyond it, a timer fires at once. */
const maxRetryAfterSeconds = 2_147_483;

/** Seconds from a Retry-After header (number, HTTP date, or Unix time), at most 24 days. Undefined if absent or invalid. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value.trim() === '') return undefined;
  const number = Number(value);
  // `Date.parse` finds a date in words with a number, such as `try again in 5`.
  const date = /\d:\d\d/.test(value) ? Date.parse(value) : undefined;
  const time = number >= minUnixTime ? toMilliseconds(number) : date;
  const seconds = time === undefined ? number : Math.max(0, Math.ceil((time - now) / 1000));
  return seconds >= 0 ? Math.min(seconds, maxRetryAfterSeconds) : undefined;
}

/** The error code among the conventional members of these objects. Success codes are not error codes. */
export function findErrorCode(holders: readonly (Body | undefined)[]): string | undefined {
  for (const holder of holders) {
    const error = asRecord(holder?.['error']);
    const baseResponse = asRecord(holder?.['base_resp']);
    const values = [
      error?.['code'],
      error?.['type'],
      ...codeNames.map((name) => holder?.[name]),
      baseResponse?.['status_code'],
    ];
    const code = values.find((value) => !isSuccessCode(value));
    if (code !== undefined) return abbreviate(toWord(code) ?? '', 200);
  }
  return undefined;
}

const codeNames = ['error_code', 'err_code', 'fail_code', 'failure_code', 'code', 'ErrCode'];

const successWords: ReadonlySet<string> = new Set(['0', 'success', 'succeed', 'succeeded', 'ok', '']);

/** Whether a code means success, such as a status of HTTP from 200 to 299. An absent one does too. */
export function isSuccessCode(code: unknown): boolean {
  const word = (toWord(code) ?? '').toLowerCase();
  return successWords.has(word) || /^2\d\d$/.test(word);
}

/** Whether a body says success in so many words, as `{success:true}`, `{ok:true}` or by a code. */
export function saysSuccess(body: Body): boolean {
  const { success, ok, code, status, ErrCode, base_resp: baseResponse } = body;
  if (success === true || ok === true) return true;
  const codes = [code, status, ErrCode, asRecord(baseResponse)?.['status_code']];
  return codes.some((value) => value !== undefined && value !== null && value !== '' && isSuccessCode(value));
}

/**
 * Whether an envelope (`{code}`, `{ErrCode}`, `{base_resp:{status_code}}`) has a failure code. Without words, it may mean
 * anything, except in reads of families that use such envelopes.
 */
export function hasFailureCode(body: unknown): boolean {
  const { code, ErrCode, base_resp: baseResponse } = asRecord(body) ?? {};
  return ![code, ErrCode, asRecord(baseResponse)?.['status_code']].every(isSuccessCode);
}

/** Whether the member `error` of a body reports one. Some gateways send it with every reply, and without an error it is empty. */
export function reportsError(body: Body): boolean {
  const { error } = body;
  if (!isRecord(error)) return typeof error === 'string' && error !== '';
  return isAlone(body) || Object.values(error).some((value) => value !== null && value !== '' && value !== 0);
}

/** Whether the list `data` has a result. An error beside it concerns others of the same create, so it was not refused. */
function hasResults({ data }: Body): boolean {
  return asArray(data).some((item) =>
    isRecord(item)
      ? !item['error'] && Object.values(item).some(Boolean)
      : typeof item === 'string' && item !== '',
  );
}

/** Forms of a refusal under HTTP 200, whatever else the body has. */
const refusals: readonly ((body: Body) => boolean)[] = [
  (body) => body['success'] === false,
  isRefusedByBaseResponse,
  isJsendError,
  (body) => body['detail'] !== undefined && isAlone(body),
];

/** Forms of a refusal unless the body is a record of work, such as a failed task. */
const refusalsWithoutWork: readonly ((body: Body) => boolean)[] = [
  (body) => reportsError(body) && !hasResults(body),
  (body) => body['type'] === 'error' && hasMessage(body),
];

/** Forms of a refusal unless the body is a record of work or has `data`. */
const refusalsWithoutResult: readonly ((body: Body) => boolean)[] = [
  (body) => isCode(body['code']) && !isSuccessCode(body['code']) && hasMessage(body),
  saysError,
];

/** Whether the body of an HTTP 200 is an error. A record with an `error` member (a task) is not one. */
export function isErrorBody(body: unknown): boolean {
  if (!isRecord(body)) return isErrorList(body);
  const hasForm = (form: (body: Body) => boolean): boolean => form(body);
  if (refusals.some(hasForm)) return true;
  if (isRecordOfWork(body)) return false;
  return refusalsWithoutWork.some(hasForm) || (!hasData(body) && refusalsWithoutResult.some(hasForm));
}

/**
 * Whether a reply under HTTP 200 refuses its request. With evidence it is the reply to a create, by one rule for all families:
 * the gateway's document shows no errors, so a reply that may hold what was made is no refusal, unless it says that the request
 * failed, as `{success:false}` or by `base_resp`. A failure code without words is none either: it may mean anything.
 */
export function isRefused(body: Json, evidence: CreateEvidence | undefined): boolean {
  if (!evidence || !isRecord(body)) return isErrorBody(body);
  const { isAccepted, hasSecret } = evidence;
  if (hasSecret?.(body)) return false;
  if (refusals.some((form) => form(body))) return true;
  if (mayBeId(body['data']) || isAccepted?.(body)) return false;
  return isErrorBody(body) || isRefusedByCode(body);
}

/** Whether `data` can be an id or an address. Other texts are words about the error. */
function mayBeId(data: unknown): boolean {
  return typeof data === 'number' ? data > 0 : /^(?=.*\d)[!-~]+$/.test(asString(data) ?? '');
}

/** Whether an envelope without content has a failure code with words for it, or with the number of a status of HTTP. */
function isRefusedByCode(body: Body): boolean {
  const { data, Resp } = body;
  const isEmpty = (typeof data === 'string' || isBlank(data)) && isBlank(Resp);
  if (!hasFailureCode(body) || isRecordOfWork(body) || !isEmpty) return false;
  return !isSuccessCode(readErrorBody(body).message) || findStatus(body) !== undefined;
}

/** Whether a body under another status than HTTP 200 is a document, but none that reports an error. */
export function hasNoError<Reply>(body: Reply | undefined): body is Reply {
  return isRecord(body) && readErrorBody(body).message === undefined && !reportsError(body);
}

function isRecordOfWork(body: Body): boolean {
  return (
    ['id', 'choices'].some((name) => body[name] !== undefined) ||
    (body['status'] !== undefined && !isErrorStatus(body['status'])) ||
    namesTask(body) ||
    namesTask(asRecord(body['data']) ?? {})
  );
}

function hasData({ data }: Body): boolean {
  return data !== undefined && data !== null && data !== '';
}

function hasMessage({ message, msg }: Body): boolean {
  return typeof message === 'string' || typeof msg === 'string';
}

function isCode(code: unknown): boolean {
  return typeof code === 'number' || typeof code === 'string';
}

/** A list of nothing but errors. Some gateways put their error into a list. */
function isErrorList(body: unknown): boolean {
  const items = asArray(body);
  return items.length > 0 && items.every((item) => isRecord(item) && reportsError(item) && isAlone(item));
}

/**
 * Whether a body without a result is one of the less common forms: `{ok:false}`, `{error:true}`, `{errors:[…]}`, or words
 * beside a status of HTTP (https://www.rfc-editor.org/rfc/rfc9457).
 */
function saysError(body: Body): boolean {
  const { errors, detail: _detail, ...others } = body;
  // Some families have their result at the top.
  if (Object.values(others).some(isObject)) return false;
  if (others['ok'] === false || others['error'] === true || asArray(errors).length > 0) return true;
  return isErrorStatus(others['status']) && readErrorBody(body).message !== undefined;
}

const jsendNames: ReadonlySet<string> = new Set(['status', 'message', 'msg', 'code', 'data']);

/**
 * Whether a body is `{status:"error",message}` (https://github.com/omniti-labs/jsend) and no more. With an id or other members,
 * it is a record of work that has failed.
 */
function isJsendError(body: Body): boolean {
  const isError = /^(error|fail)$/i.test(asString(body['status']) ?? '');
  if (!isError || !Object.keys(body).every((name) => jsendNames.has(name))) return false;
  return !body['data'] && readErrorBody(body).message !== undefined;
}

function isAlone(body: Body): boolean {
  return Object.keys(body).length === 1;
}

/** Whether the `status` of a body is one of HTTP. Families that number the states of their work have few. */
function isErrorStatus(status: unknown): boolean {
  return typeof status === 'number' && status >= 400;
}

function namesTask({ task_id: id }: Body): boolean {
  return typeof id === 'number' || (typeof id === 'string' && id !== '');
}

/** A status code in `base_resp` other than success refuses the request, unless it explains a failed record of work. */
function isRefusedByBaseResponse(body: Body): boolean {
  const isFailedRecord =
    (body['id'] ?? body['task_id']) !== undefined &&
    /fail|error|expire/i.test(asString(body['status']) ?? '');
  return !isFailedRecord && !isSuccessCode(asRecord(body['base_resp'])?.['status_code']);
}

/** Whether a text is a page of HTML or XML, as proxies send it. */
export function isMarkup(text: string): boolean {
  return /^\s*</.test(text);
}

interface ErrorWords {
  readonly message?: string | undefined;
  readonly code?: string | undefined;
  readonly type?: string | undefined;
}

/**
 * Reads `{error:{message,type,code}}`, `{error:"…"}`, `{success:false,message}`, `{detail}`, `{code,message}`,
 * `{base_resp:{status_code,status_msg}}`, `{ErrCode,ErrMsg}`, `{errors:[…]}`, `{title}`, a list of these and plain text.
 */
export function readErrorBody(body: unknown): ErrorWords {
  if (typeof body === 'string') return isMarkup(body) ? {} : { message: body.trim() || undefined };
  const record = asRecord(body) ?? asRecord(asArray(body)[0]);
  if (!record) return {};
  const errors = asArray(record['errors']);
  const inner = asRecord(record['error']) ?? asRecord(record['base_resp']) ?? record;
  const message =
    asString(inner['message']) ??
    asString(inner['status_msg']) ??
    asString(record['error']) ??
    readDetail(record['detail']) ??
    asString(record['message']) ??
    asString(record['msg']) ??
    asString(record['ErrMsg']) ??
    (errors.length > 0 ? readDetail(errors) : undefined) ??
    (isErrorStatus(record['status']) ? asString(record['title']) : undefined);
  const code = inner['code'] ?? inner['status_code'] ?? inner['ErrCode'] ?? asRecord(errors[0])?.['code'];
  return { message: message?.trim() || undefined, code: toWord(code), type: toWord(inner['type']) };
}

/** Adds to a message what a reply without a result says: it may be the reason. */
export function withWords(message: string, reply: unknown): string {
  const { message: words } = readErrorBody(reply);
  return isSuccessCode(words) ? message : abbreviate(`${message.replace(/\.$/, '')}: ${words}`, 1000);
}

/** A text, or a list of problems: each a text, or an object with a message and the place of the problem. */
export function readDetail(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail;
  if (detail === undefined || detail === null) return undefined;
  const problems = (Array.isArray(detail) ? asArray(detail) : [detail]).map(readProblem);
  const texts = problems.flatMap((text) => text ?? []);
  return texts.length > 0 && texts.length === problems.length ? texts.join('; ') : stringifyJson(detail);
}

function readProblem(problem: unknown): string | undefined {
  if (typeof problem === 'string') return problem;
  const { msg, message, loc } = asRecord(problem) ?? {};
  const text = asString(msg) ?? asString(message);
  const place = asArray(loc).filter((step) => typeof step === 'string' || typeof step === 'number');
  return text !== undefined && place.length > 0 ? `${place.join('.')}: ${text}` : text;
}

function toWord(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function describe({ status, body, contentType }: ErrorReply): string {
  if (isRedirect(status))
    return `The gateway answered ${status}, a redirect, which is not followed. Report this to the operator.`;
  if (body === undefined)
    return `The gateway answered ${status} with a body that was cut, too large or unreadable.`;
  if (body === '') return `The gateway answered ${status} with an empty body.`;
  if (typeof body === 'string') {
    const kind = contentType?.split(';')[0] ?? 'text';
    return `The gateway answered ${status} with ${isMarkup(body) ? 'an HTML or XML page' : kind}.`;
  }
  return `The gateway answered ${status} without an error message.`;
}
