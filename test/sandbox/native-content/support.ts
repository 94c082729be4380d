import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { readJson } from '../support.ts';

export interface ContentReply {
  candidates?: {
    content: {
      role: string;
      parts: { text?: string; thought?: boolean; inlineData?: { mimeType: string; data: string } }[];
    };
    finishReason: string;
    index: number;
    safetyRatings: object[];
    urlContextMetadata?: { urlMetadata: { retrievedUrl: string; urlRetrievalStatus: string }[] };
  }[];
  promptFeedback?: { blockReason: string };
  usageMetadata: {
    promptTokenCount: number;
    candidatesTokenCount?: number;
    totalTokenCount: number;
    thoughtsTokenCount?: number;
  };
  modelVersion: string;
  responseId: string;
}

export interface CallOptions {
  readonly model?: string;
  /** Replaces the query with the sandbox's own key. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ContentClient {
  /** Posts a request; a plain text becomes one content with one part. */
  post(request: string | object, options?: CallOptions): Promise<Response>;
  generate(request: string | object, options?: CallOptions): Promise<ContentReply>;
  /** The text of the first candidate. */
  ask(request: string | object, options?: CallOptions): Promise<string>;
}

export function createContentClient(sandbox: Sandbox, key = sandbox.apiKey): ContentClient {
  const post: ContentClient['post'] = (request, options = {}) => {
    const { model = 'gemini-2.5-flash', query = `?key=${key}`, headers = {} } = options;
    return fetch(`${sandbox.url}/v1beta/models/${model}:generateContent${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(typeof request === 'string' ? say(request) : request),
    });
  };
  const generate: ContentClient['generate'] = async (request, options) => {
    const response = await post(request, options);
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    return readJson<ContentReply>(response);
  };
  return {
    post,
    generate,
    async ask(request, options) {
      const { candidates } = await generate(request, options);
      return candidates?.[0]?.content.parts.at(-1)?.text ?? '';
    },
  };
}

/** A request with one content of these parts. */
export function say(...parts: readonly (string | object)[]): { contents: object[] } {
  return {
    contents: [
      { role: 'user', parts: parts.map((part) => (typeof part === 'string' ? { text: part } : part)) },
    ],
  };
}

/** A data URI as `inline_data`. */
export function toInlineData(uri: string): { inline_data: { mime_type: string; data: string } } {
  const [head = '', data = ''] = uri.split(',');
  return { inline_data: { mime_type: head.replace(/^data:|;base64$/g, ''), data } };
}
