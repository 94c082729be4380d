import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { serveCalls } from '../child-process.ts';
import { chatPath, monotonicMicros, promptModel, tokenText, voiceCount, voicesPath } from '../workload.ts';
import { listen } from './server-calls.ts';

/** The gateway of all servers under test: one page of voices, and streams that write on request. */

interface OpenStream {
  readonly response: ServerResponse;
  sent: number;
}

export interface Writes {
  readonly group: string;
  readonly writesPerStream: number;
  /** Tokens per write, and therefore per read of the relaying server. */
  readonly tokensPerWrite: number;
  /** Interval between writes to one stream. Streams take turns within it. */
  readonly intervalMs: number;
}

/** Times of the first and the last write on the shared clock. */
export interface Written {
  readonly startedMicros: number;
  readonly endedMicros: number;
}

const groups = new Map<string, OpenStream[]>();
let voiceReads = 0;

const voicesPage = Buffer.from(
  JSON.stringify({
    code: 0,
    message: 'SUCCEED',
    request_id: '0f8b7c1e-54a4-4f0e-9a53-0d5f6f1c2b3a',
    data: Array.from({ length: voiceCount }, (_, number) => ({
      task_id: String(7_301_000_000_000 + number),
      task_status: 'succeed',
      task_result: {
        voices: [
          {
            voice_id: `en-us-voice-${number}`,
            voice_name: `Voice ${number}`,
            trial_url: `http://127.0.0.1/assets/voices/en-us-voice-${number}.wav`,
            owned_by: 'preset',
            language: 'en-US',
            gender: number % 2 === 0 ? 'female' : 'male',
            style: 'warm narrator',
          },
        ],
      },
      created_at: 1_741_000_000_000,
      updated_at: 1_741_000_000_000,
    })),
  }),
);

const server = createServer((request, response) => {
  if (request.url?.startsWith(voicesPath)) {
    voiceReads += 1;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': voicesPage.length });
    response.end(voicesPage);
  } else if (request.url === chatPath) {
    void openStream(request, response);
  } else response.writeHead(404).end();
});
server.keepAliveTimeout = 60_000;

/** The model of a request is the name of its group. */
async function openStream(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const model = await readModel(request);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  const streams = groups.get(model) ?? [];
  const stream = { response, sent: 0 };
  if (model === promptModel) {
    writeTokens(model, stream, 1);
    return endStream(model, stream);
  }
  groups.set(model, streams);
  streams.push(stream);
}

/** Does not parse the whole of a large request, which would stop the tokens of all streams. */
async function readModel(request: IncomingMessage): Promise<string> {
  let start = '';
  for await (const chunk of request) if (start.length < 10_000) start += String(chunk);
  const [, model] = /"model":"([^"]+)"/.exec(start) ?? [];
  if (model === undefined) throw new Error(`no model in ${start.slice(0, 500)}`);
  return model;
}

function chunkOf(group: string, delta: string, finishReason = 'null'): string {
  return `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1760000000,"model":"${group}","choices":[{"index":0,"delta":${delta},"finish_reason":${finishReason}}]}\n\n`;
}

function writeTokens(group: string, stream: OpenStream, count: number): void {
  let text = '';
  for (let index = 0; index < count; index += 1) {
    stream.sent += 1;
    const role = stream.sent === 1 ? '"role":"assistant",' : '';
    text += chunkOf(group, `{${role}"content":"${tokenText(stream.sent)}"}`);
  }
  stream.response.write(text);
}

/**
 * Spreads the writes of the streams evenly, so that each write wakes the relaying server separately, like tokens of independent
 * users. Timers are too coarse (five writes would share a millisecond), so the thread sleeps between writes.
 */
async function writePaced({ group, writesPerStream, tokensPerWrite, intervalMs }: Writes): Promise<Written> {
  const streams = groups.get(group) ?? [];
  const startedMicros = monotonicMicros();
  const startedAt = performance.now();
  for (let round = 0; round < writesPerStream; round += 1) {
    for (const [index, stream] of streams.entries()) {
      const dueAt = startedAt + (round + index / streams.length) * intervalMs;
      for (let now = performance.now(); now < dueAt; now = performance.now()) {
        // Yields to the event loop (acknowledgements, calls) about every millisecond.
        if (dueAt - now > 1 || index % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
        sleep(Math.min(1, dueAt - performance.now()));
      }
      writeTokens(group, stream, tokensPerWrite);
      // A response buffers its writes until the end of the tick.
      await new Promise((resolve) => process.nextTick(resolve));
    }
  }
  return { startedMicros, endedMicros: monotonicMicros() };
}

const sleeping = new Int32Array(new SharedArrayBuffer(4));

function sleep(ms: number): void {
  if (ms > 0.02) Atomics.wait(sleeping, 0, 0, ms);
}

function endStream(group: string, { response }: OpenStream): void {
  const usage = `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":100,"total_tokens":109}}\n\n`;
  response.end(`${chunkOf(group, '{}', '"stop"')}${usage}data: [DONE]\n\n`);
}

function endStreams(group: string): void {
  for (const stream of groups.get(group) ?? []) endStream(group, stream);
  groups.delete(group);
}

const url = await listen(server);
const calls = {
  url: () => url,
  voiceReads: () => voiceReads,
  openStreams: (group: string) => groups.get(group)?.length ?? 0,
  writePaced,
  endStreams,
};
export type UpstreamCalls = typeof calls;
serveCalls(calls);
