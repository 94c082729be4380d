import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { serveCalls } from '../child-process.ts';
import { chatPrompt, chatWord, type Intent, maxLifeMs } from '../soak/intent.ts';

/** The gateway of the soak. Its port stays the same over restarts, and task states derive from ids, so a kill loses no state. */

const [, , port = '0', ledgerPath = ''] = process.argv;
const wordIntervalMs = 25;
const taskMs = 3000;

const server = createServer((request, response) => void answer(request, response));
server.keepAliveTimeout = 60_000;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += String(piece);
  const intent = chatPrompt.exec(text)?.groups as unknown as Intent | undefined; // The groups of the pattern.
  // Synchronous: the request is counted before its reply, even if the process is killed.
  if (intent) appendFileSync(ledgerPath, `${intent.key}\n`);
  if (request.url === '/music/fetch') sendJson(response, 200, { code: 'success', data: fetchTasks(text) });
  else if (request.url === '/music/submit/music')
    sendJson(response, 200, { code: 'success', message: '', data: `song-${Date.now()}-${intent?.key}` });
  else if (intent?.kind === 'refused')
    sendJson(response, 429, { error: { message: 'slow down', code: 'no' } });
  else if (intent) streamChat(response, intent);
  else response.writeHead(404).end();
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function fetchTasks(text: string): readonly object[] {
  const { ids } = JSON.parse(text) as { ids: readonly string[] };
  return ids.map((id) => {
    const isDone = Date.now() - Number(id.split('-')[1]) > taskMs;
    const data = isDone
      ? [{ id: `clip-${id}`, status: 'complete', audio_url: `http://127.0.0.1/${id}.mp3` }]
      : [];
    const status = isDone ? 'SUCCESS' : 'IN_PROGRESS';
    return { task_id: id, action: 'MUSIC', status, progress: isDone ? '100%' : '10%', data };
  });
}

function streamChat(response: ServerResponse, intent: Intent): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let sent = 0;
  const timer = setInterval(() => {
    if (sent === Number(intent.words)) {
      response.end('data: [DONE]\n\n');
      return;
    }
    sent += 1;
    const choices = [{ index: 0, delta: { content: chatWord(intent, sent) }, finish_reason: null }];
    response.write(`data: ${JSON.stringify({ id: 'c', model: 'm', choices })}\n\n`);
  }, wordIntervalMs);
  response.once('close', () => clearInterval(timer));
}

server.listen(Number(port), '127.0.0.1', () => {
  serveCalls({}, maxLifeMs);
});
