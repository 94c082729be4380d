import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { afterAll } from 'vitest';
import { abbreviate } from '../../src/lib/text.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';

/** A sandbox for a whole test file, unpaced by default. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox({ tokensPerSecond: Infinity, ...options });
  afterAll(() => sandbox.close());
  return sandbox;
}

// Replies are read as any client would: nothing is shared with the sandbox but the names on the wire.
export interface Message {
  role: string;
  content: string | null;
  refusal: null;
  reasoning_content?: string;
  tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
  function_call?: { name: string; arguments: string };
  annotations?: {
    type: string;
    url_citation: { start_index: number; end_index: number; url: string; title: string };
  }[];
}

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  completion_tokens_details: { reasoning_tokens: number };
}

export interface Completion {
  id: string;
  object: string;
  created: number;
  model: string;
  system_fingerprint: string;
  choices: { index: number; message: Message; logprobs: null; finish_reason: string }[];
  usage: Usage;
}

export interface Chunk {
  object: string;
  model: string;
  choices: { index?: number; delta: Partial<Message> & ToolDelta; finish_reason: string | null }[] | null;
  usage?: Usage | null;
  error?: { message: string; code: string };
}

interface ToolDelta {
  tool_calls?: {
    index: number;
    id?: string;
    type?: string;
    function: { name?: string; arguments: string };
  }[] &
    Message['tool_calls'];
}

export interface ErrorBody {
  error: { message: string; type: string; code: string };
}

export interface ChatOptions {
  readonly key?: string;
  readonly signal?: AbortSignal;
}

/** Posts a chat request; a plain text becomes one user message. */
export function postChat(
  sandbox: Sandbox,
  request: string | Readonly<Record<string, unknown>>,
  { key = sandbox.apiKey, signal }: ChatOptions = {},
): Promise<Response> {
  const given = typeof request === 'string' ? { messages: user(request) } : request;
  return fetch(`${sandbox.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'gpt-test', ...given }),
    ...(signal && { signal }),
  });
}

export function user(content: unknown): { role: string; content: unknown }[] {
  return [{ role: 'user', content }];
}

export async function complete(
  sandbox: Sandbox,
  request: string | Readonly<Record<string, unknown>>,
  options?: ChatOptions,
): Promise<Completion> {
  const response = await postChat(sandbox, request, options);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return readJson<Completion>(response);
}

/** The text of the first choice. */
export async function ask(
  sandbox: Sandbox,
  request: string | Readonly<Record<string, unknown>>,
): Promise<string> {
  const { choices } = await complete(sandbox, request);
  return choices[0]?.message.content ?? '';
}

export async function readJson<Body>(response: Response): Promise<Body> {
  return (await response.json()) as Body;
}

export async function readError(response: Response): Promise<ErrorBody['error'] & { status: number }> {
  const { error } = await readJson<ErrorBody>(response);
  return { ...error, status: response.status };
}

/** The events of a stream, `[DONE]` included. */
export async function readEvents(response: Response): Promise<EventSourceMessage[]> {
  return parseEvents(await response.text());
}

export function parseEvents(text: string): EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  createParser({ onEvent: (event) => void events.push(event) }).feed(text);
  return events;
}

export async function readChunks(response: Response): Promise<Chunk[]> {
  const events = await readEvents(response);
  return events.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data) as Chunk);
}

/** The state that a client builds from a stream's chunks, per choice. */
export function joinChunks(
  chunks: readonly Chunk[],
): { message: Message; finishReason: string | undefined }[] {
  const joined: { message: Message; finishReason: string | undefined }[] = [];
  for (const chunk of chunks) {
    for (const { index = 0, delta, finish_reason: finishReason } of chunk.choices ?? []) {
      const choice = (joined[index] ??= {
        message: { role: '', content: '', refusal: null },
        finishReason: undefined,
      });
      addDelta(choice.message, delta);
      if (finishReason !== null) choice.finishReason = finishReason;
    }
  }
  return joined;
}

function addDelta(message: Message, delta: NonNullable<Chunk['choices']>[number]['delta']): void {
  if (delta.role !== undefined) message.role += delta.role;
  message.content = (message.content ?? '') + (delta.content ?? '');
  if (delta.reasoning_content !== undefined) {
    message.reasoning_content = (message.reasoning_content ?? '') + delta.reasoning_content;
  }
  if (delta.annotations) message.annotations = delta.annotations;
  for (const call of delta.tool_calls ?? []) {
    message.tool_calls ??= [];
    const known = message.tool_calls[call.index];
    if (known) known.function.arguments += call.function.arguments;
    else {
      const { id, type } = call;
      message.tool_calls[call.index] = {
        id,
        type,
        function: { name: call.function.name ?? '', arguments: call.function.arguments },
      };
    }
  }
  if (!delta.function_call) return;
  message.function_call ??= { name: delta.function_call.name, arguments: '' };
  message.function_call.arguments += delta.function_call.arguments;
}

/** A token's request with what a test does not care about. */
export function tokenRequest(
  changes: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    name: 'test',
    remain_quota: 1000,
    expired_time: -1,
    unlimited_quota: false,
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
    group: 'default',
    ...changes,
  };
}

export function postToken(
  sandbox: Sandbox,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${sandbox.url}/api/token/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: sandbox.systemToken,
      'new-api-user': sandbox.userId,
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Makes a token and returns its key. */
export async function createKey(
  sandbox: Sandbox,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const response = await postToken(sandbox, tokenRequest(changes));
  const { data } = await readJson<{ data: { key: string } }>(response);
  return data.key;
}

/** Cases of a member's values with a label between that is short enough for a test's title. */
export function named(cases: readonly (readonly [string, unknown])[]): [string, string, unknown][] {
  return cases.map(([member, value]) => {
    const label = JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'bigint' ? part.toString() : part,
    ) as string | undefined;
    return [member, abbreviate(label ?? 'undefined', 60), value];
  });
}
