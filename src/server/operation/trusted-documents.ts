import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type DocumentNode, GraphQLError, Kind, parse } from 'graphql';
import { z } from 'zod';
import { ConfigError } from '../../config.ts';
import type { ErrorCode } from '../../error-codes.ts';
import { isRecord } from '../../lib/json.ts';
import { abbreviate } from '../../lib/text.ts';
import { messageOf } from '../../lib/thrown.ts';

/** `off`: clients send documents. `allow`: or the ids of trusted documents. `only`: trusted documents, by id or as they are. */
export type TrustMode = 'off' | 'allow' | 'only';

/** How a request names its document, as received. */
export interface DocumentSource {
  readonly query?: string | undefined;
  readonly documentId?: unknown;
  /** May hold the `documentId`, for clients that must send a `query`. It is then empty. */
  readonly extensions?: unknown;
}

/**
 * The documents that clients may name by id, as in the appendix on persisted documents of GraphQL over HTTP
 * (https://github.com/graphql/graphql-over-http).
 */
export interface TrustedDocuments {
  readonly mode: TrustMode;
  /** The text of the document. @throws GraphQLError if the id is unknown, or if the mode refuses the request */
  find(source: DocumentSource): string;
}

/** @throws ConfigError if a manifest cannot be read, is invalid, or contradicts another one */
export function loadTrustedDocuments(mode: TrustMode, files: readonly string[]): TrustedDocuments {
  return createTrustedDocuments(mode, mode === 'off' ? [] : files.flatMap(readManifest));
}

interface TrustedDocument {
  readonly id: string;
  readonly text: string;
  readonly file: string;
}

function createTrustedDocuments(mode: TrustMode, documents: readonly TrustedDocument[]): TrustedDocuments {
  const texts = indexTexts(documents);
  const trusted: ReadonlySet<string> = new Set(texts.values());
  return {
    mode,
    find({ query = '', documentId, extensions }) {
      const [id, ...others] = idsOf({ documentId, extensions });
      if (mode === 'off' && (id === undefined || query !== '')) return query;
      if (mode === 'off')
        throw refusal('BAD_REQUEST', 'This server accepts no documentId. Send the document as query.');
      if (id === undefined) {
        // A client that does not know the id of its document, such as the package @gengraph/client, may send the same text.
        if (mode === 'allow' || trusted.has(query)) return query;
        throw refusal(
          'PERSISTED_DOCUMENT_ID_REQUIRED',
          'This server runs only trusted documents: send the documentId of one, or exactly its text. Introspection and GraphiQL need a server with TRUSTED_DOCUMENTS=off or allow.',
        );
      }
      if (typeof id !== 'string') throw refusal('BAD_REQUEST', 'documentId must be one string.');
      if (others.length > 0)
        throw refusal('BAD_REQUEST', 'The request has two different ids of documents. Send one documentId.');
      if (query !== '') throw refusal('BAD_REQUEST', 'Send either query or documentId, not both.');
      const text = texts.get(id);
      if (text !== undefined) return text;
      throw refusal(
        'PERSISTED_DOCUMENT_NOT_FOUND',
        `No trusted document has the documentId "${abbreviate(id, 100)}". Add it to a file in TRUSTED_DOCUMENTS_FILES and restart the server.`,
      );
    },
  };
}

/** The different ids that a request names. */
export function idsOf({ documentId, extensions }: Omit<DocumentSource, 'query'>): readonly unknown[] {
  const named = [documentId, isRecord(extensions) ? extensions['documentId'] : undefined];
  return [...new Set(named.filter((id) => id !== undefined && id !== null))];
}

function refusal(code: ErrorCode, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

/** Every document has the id of its manifest, and the SHA-256 id of its text. */
function indexTexts(documents: readonly TrustedDocument[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { id, text, file } of documents) {
    const hashId = toDocumentId(text);
    if (id.startsWith('sha256:') && id !== hashId)
      throw new ConfigError(`Invalid manifest ${file}: the document of ${id} has the id ${hashId}`);
    if ((texts.get(id) ?? text) !== text)
      throw new ConfigError(`Invalid manifest ${file}: ${id} is already the id of another document`);
    assertHasOperation({ id, text, file });
    texts.set(id, text);
    texts.set(hashId, text);
  }
  return texts;
}

function assertHasOperation({ id, text, file }: TrustedDocument): void {
  const { definitions } = parseText({ id, text, file });
  if (!definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION))
    throw new ConfigError(
      `Invalid manifest ${file}: the document of ${id} has no operation. Remove it, or add its query, mutation or subscription`,
    );
}

function parseText({ id, text, file }: TrustedDocument): DocumentNode {
  try {
    return parse(text, { noLocation: true });
  } catch (cause) {
    if (!(cause instanceof GraphQLError)) throw cause;
    const [{ line, column } = { line: 1, column: 1 }] = cause.locations ?? [];
    throw new ConfigError(
      `Invalid manifest ${file}: the document of ${id} cannot be parsed at ${line}:${column}: ${cause.message}`,
      { cause },
    );
  }
}

/** The SHA-256 hex document identifier. */
export function toDocumentId(text: string): string {
  return `sha256:${hash('sha256', text)}`;
}

const textsById = z.record(z.string().min(1).max(500), z.string().min(1)).transform(Object.entries<string>);
const apolloManifest = z
  .object({
    format: z.literal('apollo-persisted-query-manifest'),
    version: z.literal(1),
    operations: z.array(z.object({ id: z.string().min(1).max(500), body: z.string().min(1) })),
  })
  .transform(({ operations }) => operations.map(({ id, body }) => [id, body] as const));

/** Reads the formats of GraphQL Code Generator and Relay (`{ [id]: text }`), and of Apollo. */
function readManifest(file: string): readonly TrustedDocument[] {
  let json: string;
  let content: unknown;
  try {
    json = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
    content = JSON.parse(json);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new ConfigError(`Cannot read the manifest ${file} in TRUSTED_DOCUMENTS_FILES: ${reason}`, {
      cause,
    });
  }
  const isApollo =
    isRecord(content) && content['format'] !== undefined && Array.isArray(content['operations']);
  const manifest = (isApollo ? apolloManifest : textsById).safeParse(content);
  if (manifest.success && manifest.data.length === 0)
    throw new ConfigError(`Invalid manifest ${file} in TRUSTED_DOCUMENTS_FILES: it has no documents`);
  if (manifest.success) {
    const lost = isApollo ? undefined : findLostText(json, content);
    if (lost !== undefined)
      throw new ConfigError(`Invalid manifest ${file}: ${lost} is already the id of another document`);
    return manifest.data.map(([id, text]) => ({ id, text, file }));
  }
  const [issue] = manifest.error.issues;
  throw new ConfigError(
    `Invalid manifest ${file} in TRUSTED_DOCUMENTS_FILES, at ${issue?.path.join('.') || 'its root'}: ${issue?.message}. Expected an object from document ids to documents, or Apollo's persisted query manifest of version 1`,
  );
}

const jsonStrings = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/**
 * An id whose text is not in the content, because the last text of an id replaces the others.
 * @param json an object whose values are strings, so that its strings are ids and texts in turn
 */
function findLostText(json: string, content: unknown): string | undefined {
  const strings = Array.from(json.matchAll(jsonStrings), ([string]) => String(JSON.parse(string)));
  return strings.find(
    (id, index) => index % 2 === 0 && !(isRecord(content) && content[id] === strings[index + 1]),
  );
}
