import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Address } from './address.ts';
import { type OperationField, operations } from './operations.ts';

export type Headers = Readonly<Record<string, string>>;

export interface Post {
  readonly body: object;
  readonly headers: Headers;
  readonly accept: string;
}

/** Sends a POST on a connection of its own. Resolves with the reply once its head has arrived. */
export function post({ url, host }: Address, { body, headers, accept }: Post): Promise<IncomingMessage> {
  const send = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send(url, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', accept, ...headers, ...(host !== undefined && { host }) },
  });
  request.once('response', resolve).on('error', reject).end(JSON.stringify(body));
  return promise;
}

/** The result of a field, or the code of a top-level error. */
export interface Result {
  readonly __typename?: string;
  readonly id?: string;
  readonly status?: string;
  readonly isTerminal?: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly retry?: string;
  readonly error?: { readonly code: string } | null;
  readonly output?: {
    readonly choices?: readonly {
      readonly index: number;
      readonly message: { readonly content: string | null };
    }[];
    readonly images?: readonly { readonly index: number }[];
  } | null;
  readonly edges?: readonly {
    readonly node: { readonly id: string; readonly prompt?: string | null };
  }[];
}

/** Runs an operation over HTTP. A top-level error is returned as its code. */
export async function run(
  address: Address,
  field: OperationField,
  { variables = {}, headers }: { readonly variables?: object; readonly headers: Headers },
): Promise<Result | null> {
  const body = { query: operations[field], variables };
  const reply = await post(address, { body, headers, accept: 'application/json' });
  let text = '';
  for await (const piece of reply.setEncoding('utf8')) text += String(piece);
  const { data, errors } = parse(text, reply.statusCode);
  const [error] = errors ?? [];
  if (error) return { code: error.extensions?.code ?? error.message, message: error.message };
  return data?.[field] ?? null;
}

interface Answer {
  readonly data?: Readonly<Record<string, Result | null>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: string };
  }[];
}

/** @throws Error if the text is no answer of GraphQL */
function parse(text: string, status: number | undefined): Answer {
  try {
    return JSON.parse(text) as Answer; // Of the operation above.
  } catch (cause) {
    throw new Error(`is --url the address of GraphQL? Status ${status}, no JSON: ${text.slice(0, 200)}`, {
      cause,
    });
  }
}
