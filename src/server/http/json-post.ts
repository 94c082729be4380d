import type { IncomingMessage } from 'node:http';
import { isRecord } from '../../lib/json.ts';
import type { ReceivedParams } from '../operation/operation.ts';

/** An operation that a client posted as JSON. */
export interface JsonPost {
  readonly params: ReceivedParams;
  /** Media type of the answer. */
  readonly mediaType: JsonMediaType;
}

export type JsonMediaType = 'application/json' | 'application/graphql-response+json';

export interface JsonPostOptions {
  /** Media ranges of the `Accept` header. */
  readonly acceptedRanges: readonly string[];
  /** Returns the parsed body. */
  readonly readJson: () => unknown;
}

/**
 * Recognizes the common form of a request: a POST of one JSON operation whose client accepts JSON. Undefined for all other
 * requests, also for invalid ones, which Yoga answers. The body of every POST is JSON: `createRoutes` refuses others.
 * @throws SyntaxError if the body is not JSON
 */
export function readJsonPost(
  { method, url }: Pick<IncomingMessage, 'method' | 'url'>,
  { acceptedRanges, readJson }: JsonPostOptions,
): JsonPost | undefined {
  if (method !== 'POST' || url !== '/graphql') return undefined;
  const mediaType = chooseMediaType(acceptedRanges);
  if (mediaType === undefined) return undefined;
  const body = readJson();
  return isParams(body) ? { params: body, mediaType } : undefined;
}

/** Chooses as Yoga does: the first accepted type that is JSON, without regard to quality values. */
function chooseMediaType(mediaRanges: readonly string[]): JsonMediaType | undefined {
  for (const mediaRange of mediaRanges) {
    const [type, subtype] = mediaRange.split('/');
    if (type !== '*' && type !== 'application') continue;
    if (subtype === '*' || subtype === 'json') return 'application/json';
    if (subtype === 'graphql-response+json') return 'application/graphql-response+json';
  }
  return undefined;
}

const memberNames: ReadonlySet<string> = new Set([
  'query',
  'documentId',
  'operationName',
  'variables',
  'extensions',
]);

function isParams(body: unknown): body is ReceivedParams {
  if (!isRecord(body)) return false;
  for (const name of Object.keys(body)) if (!memberNames.has(name)) return false;
  const { query, documentId, operationName, variables, extensions } = body;
  return (
    (typeof query === 'string' || (query === undefined && typeof documentId === 'string')) &&
    (typeof operationName === 'string' || operationName === undefined || operationName === null) &&
    isObjectOrAbsent(variables) &&
    isObjectOrAbsent(extensions)
  );
}

function isObjectOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || isRecord(value);
}
