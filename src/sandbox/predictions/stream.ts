import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { waitWhileOpen } from '../http/paced-writes.ts';
import { getOrigin, type Handler } from '../http/routes.ts';
import { isTerminal, type Progress } from '../tasks/timeline.ts';
import { writeLogs } from './logs.ts';
import { failReason, getPredictions, toAddresses, type PredictionTask } from './prediction.ts';
import { findPrediction } from './read.ts';

const lookEveryMs = 100;

/** `urls.stream` of a prediction: its logs as they grow, its output, and its end, as server-sent events. */
export const handleStream: Handler = async (exchange, services) => {
  const task = findPrediction(exchange, services);
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
  for (;;) {
    const progress = getPredictions(services).progressOf(task);
    const logs = writeLogs(task.work, progress.done);
    if (logs.length > sent) send('logs', logs.slice(sent));
    sent = logs.length;
    if (isTerminal(progress.phase)) {
      sendEnd(send, getOrigin(exchange), { task, progress });
      outgoing.end();
      return RESPONSE_ALREADY_SENT;
    }
    if (!(await waitWhileOpen(outgoing, lookEveryMs))) return RESPONSE_ALREADY_SENT;
  }
};

function sendEnd(
  send: (event: string, data: string) => void,
  origin: string,
  { task, progress }: { readonly task: PredictionTask; readonly progress: Progress },
): void {
  if (progress.phase === 'succeeded') {
    for (const address of [toAddresses(origin, task.work.output)].flat()) send('output', address);
    send('done', '{}');
  } else if (progress.phase === 'failed') {
    send('error', JSON.stringify({ detail: failReason }));
    send('done', JSON.stringify({ reason: 'error' }));
  } else {
    send('done', JSON.stringify({ reason: 'canceled' }));
  }
}
