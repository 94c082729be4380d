import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { html } from 'hono/html';
import { notFound } from '../http/errors.ts';
import { waitWhileOpen } from '../http/paced-writes.ts';
import { getMediaOrigin, replyJson, type Handler } from '../http/routes.ts';
import type { Call } from '../tasks/paid-work.ts';
import { outOfMemory } from '../tasks/read-task.ts';
import type { Task } from '../tasks/task-list.ts';
import { isTerminal } from '../tasks/timeline.ts';
import { writeLogs } from './logs.ts';
import { predictions, toAddresses, toRecord, type PredictionWork } from './predictions.ts';

const checkEveryMs = 100;

function find(call: Call): Task<PredictionWork> {
  return predictions.get(call, call.exchange.req.param('id'));
}

/** `urls.get` of a prediction. */
export const readPrediction = predictions.read({ find });

/** `urls.cancel` of a prediction. A cancel after the end has no effect. */
export const cancelPrediction: Handler = (exchange, services) => {
  const task = find(predictions.authenticate(exchange, services));
  predictions.list(services).cancel(task);
  return replyJson(exchange, toRecord(predictions.view({ exchange, services }, task)));
};

/** `urls.stream` of a prediction: its logs, output and end as server-sent events. */
export const streamPrediction: Handler = async (exchange, services) => {
  const task = find(predictions.authenticate(exchange, services));
  const { outgoing } = exchange.env;
  outgoing.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  outgoing.flushHeaders();

  let sent = 0;
  let number = 0;
  const send = (event: string, data: string): void => {
    number += 1;
    const lines = data.split('\n').map((line) => `data: ${line}\n`);
    outgoing.write(`event: ${event}\nid: ${task.createdAtMs}:${number}\n${lines.join('')}\n`);
  };
  do {
    const { phase, done } = predictions.list(services).progressOf(task);
    const logs = writeLogs(task.work, done);
    if (logs.length > sent) send('logs', logs.slice(sent));
    sent = logs.length;
    if (!isTerminal(phase)) continue;
    if (phase === 'succeeded') {
      for (const address of toAddresses(getMediaOrigin(exchange), task.work.output)) send('output', address);
    }
    if (phase === 'failed') send('error', JSON.stringify({ detail: outOfMemory }));
    const reason = phase === 'failed' ? 'error' : phase;
    send('done', JSON.stringify(phase === 'succeeded' ? {} : { reason }));
    outgoing.end();
    break;
  } while (await waitWhileOpen(outgoing, checkEveryMs));
  return RESPONSE_ALREADY_SENT;
};

/** `urls.web` of a prediction: a page without a credential, since its address cannot be guessed. */
export const showPrediction: Handler = (exchange, services) => {
  const id = exchange.req.param('id') ?? '';
  const tasks = predictions.list(services);
  const task = tasks.findById(id);
  if (!task) throw notFound(`${id}: no such prediction`);
  const { phase } = tasks.progressOf(task);
  const files = phase === 'succeeded' ? toAddresses(getMediaOrigin(exchange), task.work.output) : [];
  const media = files.map((address) =>
    address.endsWith('.mp4')
      ? html`<video src="${address}" controls autoplay loop muted></video>`
      : html`<img src="${address}" alt="" />`,
  );
  const refresh = isTerminal(phase) ? '' : html`<meta http-equiv="refresh" content="1" />`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${refresh}
        <title>Prediction ${id}</title>
        <style>
          body {
            font: 16px system-ui;
            margin: 2rem;
            max-width: 64rem;
          }
          img,
          video {
            max-width: 100%;
            display: block;
            margin: 1rem 0;
          }
        </style>
      </head>
      <body>
        <h1>${task.work.model}</h1>
        <p>Prediction <code>${id}</code>: <strong>${phase}</strong></p>
        ${media}
      </body>
    </html>`;
  return exchange.html(page, 200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'",
  });
};
