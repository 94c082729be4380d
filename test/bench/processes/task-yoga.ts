import { setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import DataLoader from 'dataloader';
import { createPubSub, createSchema, createYoga } from 'graphql-yoga';
import { Pool } from 'undici';
import { tasksPath } from '../task-workload.ts';
import { listen, serveServerCalls } from './server-calls.ts';
import { serveSockets } from './yoga-sockets.ts';

/** Tasks as in the documentation of graphql-yoga, graphql-ws and DataLoader, by upstream ids. */

interface WireTask {
  readonly task_id: string;
  readonly status: string;
  readonly progress: string;
}

interface YogaContext {
  readonly authorization: string;
  readonly taskLoader: DataLoader<string, WireTask | null>;
}

const pool = new Pool(process.argv[2] ?? '', { connections: 4096 });

async function readTasks(ids: readonly string[], authorization: string): Promise<(WireTask | null)[]> {
  const { body } = await pool.request({
    method: 'POST',
    path: tasksPath,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ ids, action: '' }),
  });
  const { data } = (await body.json()) as { data: readonly WireTask[] };
  const tasks = new Map(data.map((task) => [task.task_id, task]));
  return ids.map((id) => tasks.get(id) ?? null);
}

// Many subscriptions to one task are intended.
setMaxListeners(0);
const pubSub = createPubSub<{ task: [id: string, task: WireTask] }>();
/** Last status of each watched task, and the credential to read it with. */
const watched = new Map<string, { readonly authorization: string; status: string }>();

async function* followTask(id: string, { authorization, taskLoader }: YogaContext) {
  const changes = pubSub.subscribe('task', id);
  const task = await taskLoader.load(id);
  if (!task) return;
  if (!watched.has(id)) watched.set(id, { authorization, status: task.status });
  yield task;
  yield* changes;
}

/** One read for all watched tasks, which belong to one caller here. */
async function poll(): Promise<void> {
  const [first] = watched.values();
  if (!first) return;
  for (const task of await readTasks([...watched.keys()], first.authorization)) {
    const known = task && watched.get(task.task_id);
    if (!known || known.status === task.status) continue;
    known.status = task.status;
    pubSub.publish('task', task.task_id, task);
  }
}
// Same interval as `watched-gengraph.ts`.
setInterval(() => void poll(), 2000).unref();

const statuses = new Map([
  ['SUBMITTED', 'QUEUED'],
  ['IN_PROGRESS', 'RUNNING'],
  ['SUCCESS', 'SUCCEEDED'],
  ['FAILURE', 'FAILED'],
]);
const statusOf = ({ status }: WireTask): string => statuses.get(status) ?? 'UNKNOWN';

const typeDefs = /* GraphQL */ `
  type Query {
    task(id: ID!): Task
    tasks(ids: [ID!]!): [Task]!
  }
  type Subscription {
    taskProgress(id: ID!): Task!
  }
  enum TaskStatus {
    QUEUED
    RUNNING
    SUCCEEDED
    FAILED
    CANCELED
    UNKNOWN
  }
  type Task {
    id: ID!
    status: TaskStatus!
    progress: Float
    rawStatus: String
    isTerminal: Boolean!
  }
`;

interface ServerContext {
  readonly request?: Request;
  /** Of a WebSocket. */
  readonly connectionParams?: { readonly Authorization?: string };
}

const yoga = createYoga<ServerContext>({
  schema: createSchema<YogaContext>({
    typeDefs,
    resolvers: {
      Query: {
        task: (_root: unknown, { id }: { id: string }, { taskLoader }) => taskLoader.load(id),
        tasks: (_root: unknown, { ids }: { ids: readonly string[] }, { taskLoader }) =>
          ids.map((id) => taskLoader.load(id)),
      },
      Subscription: {
        taskProgress: {
          subscribe: (_root: unknown, { id }: { id: string }, context) => followTask(id, context),
          resolve: (task: WireTask) => task,
        },
      },
      Task: {
        id: (task: WireTask) => task.task_id,
        status: statusOf,
        progress: ({ progress }: WireTask) => Number.parseFloat(progress) / 100,
        rawStatus: ({ status }: WireTask) => status,
        isTerminal: (task: WireTask) => ['SUCCEEDED', 'FAILED', 'CANCELED'].includes(statusOf(task)),
      },
    },
  }),
  context: ({ request, connectionParams }: ServerContext): YogaContext => {
    const authorization = connectionParams?.Authorization ?? request?.headers.get('authorization') ?? '';
    return {
      authorization,
      taskLoader: new DataLoader((ids) => readTasks(ids, authorization)),
    };
  },
  logging: false,
});

const server = createServer((request, response) => void yoga(request, response));
serveSockets(yoga, server);
serveServerCalls(await listen(server));
