import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { readEvents, readJson } from '../support.ts';

export const path = '/v1/images/generations';
export const modelA = 'doubao-seedream-4-0';

export interface ReplyA {
  data: { url?: string; b64_json?: string; error?: { code: string; message: string } }[];
  created: number;
  usage: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
    output_tokens: number;
    prompt_tokens_details: { cached_tokens_details: object };
    completion_tokens_details: object;
  };
}

export interface ReplyB {
  created: number;
  data: { url?: string; b64_json?: string; revised_prompt: string }[];
}

export interface StreamedImage {
  readonly event: string | undefined;
  readonly data: {
    readonly type: string;
    readonly model?: string;
    readonly created?: number;
    readonly image_index?: number;
    readonly url?: string;
    readonly b64_json?: string;
    readonly size?: string;
    readonly error?: { readonly code: string; readonly message: string };
    readonly usage?: ReplyA['usage'];
  };
}

export interface ImageClient {
  post(request: object, signal?: AbortSignal): Promise<Response>;
  make<Reply>(request: object): Promise<Reply>;
  /** The events of a stream, without `[DONE]`. */
  stream(request: object): Promise<{ events: StreamedImage[]; isDone: boolean }>;
}

/** Calls of the endpoint; a request without a model is one of set A. */
export function createImageClient(sandbox: Sandbox, key = sandbox.apiKey): ImageClient {
  const post = (request: object, signal?: AbortSignal): Promise<Response> =>
    fetch(sandbox.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: modelA, ...request }),
      ...(signal && { signal }),
    });
  return {
    post,
    async make<Reply>(request: object) {
      const response = await post(request);
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      return readJson<Reply>(response);
    },
    async stream(request) {
      const response = await post({ stream: true, ...request });
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      const all = await readEvents(response);
      const isDone = all.at(-1)?.data === '[DONE]';
      const events = (isDone ? all.slice(0, -1) : all).map(({ event, data }) => ({
        event,
        data: JSON.parse(data) as StreamedImage['data'],
      }));
      return { events, isDone };
    },
  };
}

export function decodeBase64(text: string | undefined): Buffer {
  return Buffer.from(text ?? '', 'base64');
}
