import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { serveCalls } from '../child-process.ts';
import { tasksPath } from '../task-workload.ts';
import { listen } from './server-calls.ts';

/** The batch read of the gateway. Every task is always in progress. */

const fetches = new Map<string, number>();
/** Tasks of each read that have another progress than in the read before, in turn. */
let changedTasks = 0;
const firstProgress = 10;
/** Percent, of the tasks of a caller by their position in its reads, if it has changed. */
const progress = new Map<string, number[]>();

const server = createServer((request, response) => {
  if (request.url === tasksPath) void answer(request, response);
  else response.writeHead(404).end();
});
server.keepAliveTimeout = 60_000;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { authorization = '' } = request.headers;
  fetches.set(authorization, (fetches.get(authorization) ?? 0) + 1);
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  const { ids } = JSON.parse(text) as { ids: string[] };
  const shown = advance(authorization, ids.length);
  const data = ids.map((id, index) => toWireTask(id, shown[index] ?? firstProgress));
  const body = Buffer.from(JSON.stringify({ code: 'success', message: '', data }));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}

/** The progress of the caller's tasks in this read. */
function advance(authorization: string, tasks: number): readonly number[] {
  const shown = progress.get(authorization) ?? [];
  progress.set(authorization, shown);
  const first = (fetches.get(authorization) ?? 0) * changedTasks;
  for (let turn = first; turn < first + changedTasks; turn++) {
    const before = shown[turn % tasks] ?? firstProgress;
    shown[turn % tasks] = firstProgress + ((before + 1) % 80);
  }
  return shown;
}

function toWireTask(id: string, percent: number): object {
  return {
    task_id: id,
    notify_hook: '',
    action: 'MUSIC',
    status: 'IN_PROGRESS',
    fail_reason: '',
    submit_time: 1_760_000_000,
    start_time: 1_760_000_001,
    finish_time: 0,
    progress: `${percent}%`,
    search_item: '',
    data: [],
  };
}

const url = await listen(server);
const calls = {
  url: () => url,
  /** Number of batch reads. */
  fetches: () => [...fetches.values()].reduce((sum, count) => sum + count, 0),
  /** From now on, this many tasks of each read have another progress than in the one before. */
  setChangedTasks: (count: number) => {
    changedTasks = count;
  },
  fetchesOf: (authorization: string) => fetches.get(authorization) ?? 0,
};
export type TaskUpstreamCalls = typeof calls;
serveCalls(calls);
