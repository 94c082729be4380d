import { createServer } from 'node:http';
import DataLoader from 'dataloader';
import { createSchema, createYoga } from 'graphql-yoga';
import { Pool } from 'undici';
import { tasksPath } from '../task-workload.ts';
import { listen, serveServerCalls } from './server-calls.ts';

/** Tasks as in the documentation of graphql-yoga and DataLoader, by upstream ids. */

interface WireTask {
  readonly task_id: string;
  readonly status: string;
  readonly progress: string;
}

interface YogaContext {
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

const yoga = createYoga({
  schema: createSchema<YogaContext>({
    typeDefs,
    resolvers: {
      Query: {
        task: (_root: unknown, { id }: { id: string }, { taskLoader }) => taskLoader.load(id),
        tasks: (_root: unknown, { ids }: { ids: readonly string[] }, { taskLoader }) =>
          ids.map((id) => taskLoader.load(id)),
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
  context: ({ request }): YogaContext => {
    const authorization = request.headers.get('authorization') ?? '';
    return { taskLoader: new DataLoader((ids) => readTasks(ids, authorization)) };
  },
  logging: false,
});

serveServerCalls(await listen(createServer((request, response) => void yoga(request, response))));
