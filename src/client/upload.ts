import type { Client } from 'graphql-ws';
import type { CreateUploadMutation, CreateUploadMutationVariables } from './documents.generated.ts';
import type { Gengraph } from './gengraph.ts';
import { type Outcome, runNonNull } from './operate.ts';
import { type GengraphProblem, toProblem } from './problem.ts';
import { problemFields } from './sent-texts.ts';

export interface UploadOptions {
  /** Ends the upload. What is left of it costs nothing. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Where the page reaches the server, if not at its own address: `/` behind a proxy that forwards `/files`. Presigned addresses of
   * a store stay as they are.
   */
  readonly base?: string | undefined;
}

export interface UploadedFile {
  /** For inputs that take the URL of an image. */
  readonly id: string;
}

/**
 * Uploads a file or a Blob for an input. It never rejects, and sends each address its bytes once: after a problem, the same call
 * prepares another upload, which costs nothing. An upload that was aborted has a problem too.
 */
export async function upload(
  { client }: Pick<Gengraph, 'client'>,
  file: Blob,
  { signal, base }: UploadOptions = {},
): Promise<Outcome<UploadedFile>> {
  const { value, problem } = await prepare(client, file, signal);
  if (!value) return { problem };
  const { id, url } = value;
  // A router may send null.
  if (url === null) return { problem: toProblem({ reason: 'The upload has no address.' }) };
  const target = base === undefined ? url : atBase(url, base);
  try {
    // Without its type, which has been declared, no store needs a CORS rule for headers.
    const reply = await fetch(target, { method: 'PUT', body: file.slice(), signal: signal ?? null });
    const refusal = reply.ok ? undefined : await readRefusal(reply);
    if (signal?.aborted) return { problem: canceled };
    return refusal ? { problem: refusal } : { value: { id } };
  } catch {
    if (signal?.aborted) return { problem: canceled };
    return { problem: (await isUnreadable(file)) ? unreadable : lost };
  }
}

export const uploadText = `mutation Upload($input:CreateUploadInput!){createUpload(input:$input){__typename ...on FileUpload{id url}${problemFields}}}`;

type FileUpload = Extract<NonNullable<CreateUploadMutation['createUpload']>, { __typename: 'FileUpload' }>;

async function prepare(
  client: Client,
  { type, size }: Blob,
  signal: AbortSignal | undefined,
): Promise<Outcome<FileUpload>> {
  if (signal?.aborted) return { problem: canceled };
  // Recordings name their codecs too.
  const [contentType = ''] = type.split(';');
  const variables: CreateUploadMutationVariables = { input: { contentType, sizeBytes: size } };
  let stop = (): void => {};
  let leave = (): void => {};
  const subscribe: Client['subscribe'] = (operation, sink) => (stop = client.subscribe(operation, sink));
  const left = new Promise<Outcome<FileUpload>>((resolve) => {
    leave = () => resolve({ problem: canceled });
  });
  signal?.addEventListener('abort', leave);
  const run = runNonNull<FileUpload>({ subscribe }, { query: uploadText, variables });
  const outcome = await Promise.race([run, left]);
  signal?.removeEventListener('abort', leave);
  if (!signal?.aborted) return outcome;
  stop();
  return { problem: canceled };
}

/** Of the server, not of a store. */
const atBase = (url: string, base: string): string =>
  url.replace(/^.*\/(?=files\/upload_[\w-]+\?e=)/, () => base.replace(/\/?$/, '/'));

const free = { retry: 'SAFE', retryAfterSeconds: null } as const;
const canceled: GengraphProblem = {
  ...free,
  code: 'CONNECTION_FAILED',
  message: 'The upload was canceled.',
};
const lost: GengraphProblem = {
  ...free,
  code: 'CONNECTION_FAILED',
  message: 'The address of the upload cannot be reached, or its answer was lost.',
};
const unreadable: GengraphProblem = {
  ...free,
  code: 'INVALID_INPUT',
  retry: 'FIX_INPUT',
  message: 'The file cannot be read. It was changed or removed: choose it again.',
};

async function isUnreadable(file: Blob): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return false;
  } catch (error) {
    // React Native cannot read here at all.
    return !(error instanceof TypeError);
  }
}

/** Why the server, a store or a proxy has not taken the file. */
async function readRefusal(reply: Response): Promise<GengraphProblem> {
  const { status, headers } = reply;
  const text = await reply.text().catch(() => '');
  const errors = readErrors(text);
  const problem = errors ? toProblem(errors) : toRefusal(status, text);
  const retryAfterSeconds = problem.retryAfterSeconds ?? (Number(headers.get('retry-after')) || null);
  // Another upload has another address.
  return { ...problem, retryAfterSeconds, ...(errors && status === 404 && { retry: 'SAFE' }) };
}

interface Refusal {
  readonly errors?: readonly [{ readonly extensions?: { readonly code?: string } }];
}

/** The errors of Gengraph. */
function readErrors(text: string): Refusal['errors'] {
  try {
    const { errors } = JSON.parse(text) as Refusal; // Checked here.
    return errors?.[0].extensions?.code === undefined ? undefined : errors;
  } catch {
    return undefined;
  }
}

/** Stores say why in XML, proxies in HTML. */
function toRefusal(status: number, text: string): GengraphProblem {
  const [, reason] = /<Message>([^<]+)</.exec(text) ?? [];
  const message = `The file was refused with status ${status}${reason === undefined ? '.' : `: ${reason}`}`;
  return { ...free, ...adviceFor(status, text), message };
}

function adviceFor(status: number, text: string): Pick<GengraphProblem, 'code' | 'retry'> {
  if (status === 429) return { code: 'RATE_LIMITED', retry: 'LATER' };
  if (status === 408) return { code: 'REQUEST_TIMEOUT', retry: 'LATER' };
  if (status >= 500) return { code: 'RECORDS_UNAVAILABLE', retry: 'LATER' };
  if (status === 413) return { code: 'LIMIT_EXCEEDED', retry: 'FIX_INPUT' };
  // Stores send 403 for an address that has expired, and 400 for bytes that arrived too slowly.
  const isLate = /<Message>[^<]*expired|<Code>(RequestTimeout|ExpiredToken)</i.test(text);
  return { code: 'BAD_REQUEST', retry: isLate ? 'SAFE' : status === 415 ? 'FIX_INPUT' : 'NEVER' };
}
