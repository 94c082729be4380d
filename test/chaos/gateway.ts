import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type Intent, type Receipt, textOf, wordOf } from './ledger.ts';

/** `down` breaks every connection, `errors` refuses, `lost` breaks the connection after the request. */
export type GatewayMood = 'well' | 'down' | 'errors' | 'limited' | 'lost' | 'slow';

export interface ChaosGateway {
  /** One address per server, so that a request says who sent it. */
  readonly urls: readonly string[];
  mood: GatewayMood;
}

interface Work {
  readonly readyAt: number;
}

/** A gateway for chats, images, songs and speech that notes each create in its intent. Closed when the test ends. */
export async function startChaosGateway(
  servers: number,
  intents: ReadonlyMap<string, Intent>,
  random: () => number,
): Promise<ChaosGateway> {
  const works = new Map<string, Work>();
  const gateway = { mood: 'well' as GatewayMood, urls: [] as string[] };
  const listeners: Server[] = [];
  for (let server = 0; server < servers; server += 1) {
    const listener = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        answer(request, response, { body, server }).catch(() => response.destroy());
      });
      response.on('error', () => {});
    });
    listener.on('connection', (socket) => {
      if (gateway.mood === 'down') socket.resetAndDestroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    gateway.urls.push(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
    listeners.push(listener);
  }
  onTestFinished(async () => {
    for (const listener of listeners) {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    }
  });
  return gateway;

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    { body, server }: { readonly body: string; readonly server: number },
  ): Promise<void> {
    const { mood } = gateway;
    const name = /intent (\S+)/.exec(body)?.[1];
    const intent = name === undefined ? undefined : intents.get(name);
    if (!intent) return answerRead(request, response, body);
    const receipt: Receipt = {
      arrivedAt: performance.now(),
      server,
      outcome: 'accepted',
      text: '',
      wholeAt: undefined,
      cutAt: undefined,
    };
    if (mood === 'errors' || mood === 'limited') {
      receipt.outcome = 'refused';
      intent.receipts.push(receipt);
      const status = mood === 'errors' ? 503 : 429;
      if (mood === 'limited') response.setHeader('retry-after', '1');
      return sendJson(response, { error: { message: 'not now', type: 'busy' } }, status);
    }
    if (mood === 'lost' || mood === 'down') {
      receipt.outcome = 'lost';
      intent.receipts.push(receipt);
      request.socket.resetAndDestroy();
      return;
    }
    intent.receipts.push(receipt);
    if (mood === 'slow') await wait(500 + 3000 * random());
    if (intent.kind === 'chat') return streamChat(response, intent, receipt);
    await wait(20 + 300 * random());
    const reply = replyOf(intent);
    await sendJson(response, reply);
    receipt.text = intent.kind === 'completion' ? textOf(intent) : '';
    receipt.wholeAt = performance.now();
  }

  async function streamChat(response: ServerResponse, intent: Intent, receipt: Receipt): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let isGone = false;
    response.once('close', () => (isGone = true));
    const send = (value: unknown): boolean =>
      response.write(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`);
    for (let index = 0; index < intent.words; index += 1) {
      if (isGone) return;
      if (index === intent.cutAfter) {
        receipt.cutAt = performance.now();
        response.socket?.resetAndDestroy();
        return;
      }
      send({
        choices: [
          { index: 0, delta: { ...(index === 0 && { role: 'assistant' }), content: wordOf(intent, index) } },
        ],
      });
      receipt.text += wordOf(intent, index);
      await wait(10 + 60 * random());
    }
    const usage = usageOf(intent);
    send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage });
    send('[DONE]');
    await new Promise<void>((resolve) => response.end(resolve));
    if (!isGone || response.writableFinished) receipt.wholeAt = performance.now();
  }

  function replyOf(intent: Intent): object {
    switch (intent.kind) {
      case 'completion':
        return {
          choices: [
            { index: 0, message: { role: 'assistant', content: textOf(intent) }, finish_reason: 'stop' },
          ],
          usage: usageOf(intent),
        };
      case 'content':
        return { candidates: [{ content: { parts: [{ text: textOf(intent) }] }, finishReason: 'STOP' }] };
      case 'image':
        return { data: [{ url: `http://127.0.0.1/${intent.name}.png` }] };
      case 'queued-image':
        return { request_id: begin(intent), status: 'IN_QUEUE' };
      case 'animation':
        return { id: begin(intent), status: 'starting' };
      case 'song':
        return { code: 'success', message: '', data: begin(intent) };
      default:
        return { task_id: begin(intent), status: 'pending' };
    }
  }

  function begin({ name }: Intent): string {
    works.set(`work-${name}`, { readyAt: performance.now() + 4000 * random() });
    return `work-${name}`;
  }

  async function answerRead(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    if (gateway.mood === 'down' || gateway.mood === 'lost') {
      request.socket.resetAndDestroy();
      return;
    }
    if (gateway.mood === 'errors') return sendJson(response, { error: { message: 'not now' } }, 503);
    const isReady = (id: string): boolean => performance.now() >= (works.get(id)?.readyAt ?? Infinity);
    if (request.url === '/music/fetch') {
      const { ids } = JSON.parse(body) as { readonly ids: readonly string[] }; // The program's own request.
      const data = ids.filter((id) => works.has(id)).map((id) => song(id, isReady(id)));
      return sendJson(response, { code: 'success', data });
    }
    const id = /work-[a-z0-9-]+/.exec(request.url ?? '')?.[0] ?? '';
    if (!works.has(id)) return sendJson(response, { detail: 'Not found' }, 404);
    const address = `http://127.0.0.1/${id}.png`;
    const isPrediction = intents.get(id.slice('work-'.length))?.kind === 'animation';
    const ended = isPrediction
      ? { id, status: 'succeeded', output: [address] }
      : { images: [{ url: address }], seed: 1 };
    return sendJson(
      response,
      isReady(id) ? ended : { id, status: isPrediction ? 'processing' : 'IN_PROGRESS' },
    );
  }
}

function song(id: string, isReady: boolean): object {
  if (!isReady) return { task_id: id, action: 'MUSIC', status: 'IN_PROGRESS', progress: '10%', data: [] };
  const clip = { id: `clip-${id}`, title: id, status: 'complete', audio_url: `http://127.0.0.1/${id}.mp3` };
  return { task_id: id, action: 'MUSIC', status: 'SUCCESS', progress: '100%', data: [clip] };
}

export function usageOf({ words }: Intent): {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
} {
  return { prompt_tokens: 3, completion_tokens: words, total_tokens: words + 3 };
}

async function sendJson(response: ServerResponse, body: object, status = 200): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/json' });
  await new Promise<void>((resolve) => response.end(JSON.stringify(body), resolve));
}
