import { Pool } from 'undici';
import { serveCalls } from '../child-process.ts';
import {
  graphIdOf,
  shownCount,
  type TaskForm,
  taskRequest,
  tasksPerOperation,
  upstreamIdOf,
} from '../task-workload.ts';

export interface TaskLoad {
  readonly url: string;
  readonly form: TaskForm;
  /** Kind of ids that the server accepts. */
  readonly ids: 'upstream' | 'gengraph';
  readonly count: number;
  readonly callers: number;
  /** Whether the answers of a caller differ. */
  readonly isChanging: boolean;
}

/**
 * Operations in flight, each with its own connection and callers. Concurrent operations of one caller could share an upstream
 * read, which is not measured here.
 */
const lanes = 8;

interface Target {
  readonly pool: Pool;
  /** Of its own: the upstream changes the tasks of a caller with each read. */
  readonly callerPrefix: string;
  readonly requests: readonly string[];
  readonly turns: number[];
  /** The first answer of each caller, after validation. All others must be identical, or as long if tasks change. */
  readonly answers: Map<number, string>;
  readonly isChanging: boolean;
}

const targets = new Map<string, Target>();

/** Sends each operation after the answer to the previous one. @throws Error at the first wrong answer */
async function runTaskQueries(load: TaskLoad): Promise<{ answered: number }> {
  const { origin, pathname } = new URL(load.url);
  const key = `${origin} ${load.form} ${load.callers} ${load.isChanging}`;
  const callersPerLane = Math.ceil(load.callers / lanes);
  const target = targets.get(key) ?? createTarget(origin, load);
  targets.set(key, target);
  let asked = 0;
  let answered = 0;
  const askInTurn = async (lane: number): Promise<void> => {
    while (asked < load.count) {
      asked += 1;
      const turn = target.turns[lane] ?? 0;
      target.turns[lane] = (turn + 1) % callersPerLane;
      await ask(target, pathname, lane * callersPerLane + turn);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => askInTurn(lane)));
  return { answered };
}

function createTarget(origin: string, { form, ids, callers, isChanging }: TaskLoad): Target {
  const requests = Array.from({ length: Math.ceil(callers / lanes) * lanes }, (_caller, caller) =>
    taskRequest(
      form,
      Array.from({ length: tasksPerOperation }, (_task, number) => {
        const upstreamId = upstreamIdOf(caller, number);
        return ids === 'gengraph' ? graphIdOf(upstreamId) : upstreamId;
      }),
    ),
  );
  const pool = new Pool(origin, { connections: lanes });
  const callerPrefix = `sk-bench-${new URL(origin).port}-`;
  return { pool, callerPrefix, requests, turns: [], answers: new Map(), isChanging };
}

async function ask(
  { pool, callerPrefix, requests, answers, isChanging }: Target,
  path: string,
  caller: number,
): Promise<void> {
  const response = await pool.request({
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
      authorization: `Bearer ${callerPrefix}${caller}`,
    },
    body: requests[caller] ?? null,
  });
  const answer = await response.body.text();
  const known = answers.get(caller);
  const isKnown = known !== undefined && (isChanging ? isAlike(answer, known) : answer === known);
  if (response.statusCode === 200 && isKnown) return;
  if (response.statusCode !== 200 || known !== undefined || countTasks(answer) !== tasksPerOperation)
    throw new Error(`wrong answer, ${response.statusCode}: ${answer.slice(0, 500)}`);
  answers.set(caller, answer);
}

/** Whether only the progress of tasks differs. Cheap: it is done for every answer. The lengths differ by `0.1` and `0.11`. */
function isAlike(answer: string, known: string): boolean {
  return Math.abs(answer.length - known.length) <= tasksPerOperation && !answer.includes('"errors"');
}

interface Reply {
  /** The answer of a GraphQL server with one member per field, or of the floor (the upstream list). */
  readonly data?: readonly unknown[] | Readonly<Record<string, ShownTask | readonly ShownTask[]>>;
  readonly errors?: unknown;
}

interface ShownTask {
  readonly id: string;
  readonly status: string;
  readonly progress: number;
  readonly rawStatus: string;
  readonly isTerminal: boolean;
}

/** Number of distinct, valid tasks in an answer. */
function countTasks(answer: string): number {
  const { data, errors } = JSON.parse(answer) as Reply;
  if (!data || errors !== undefined) return 0;
  if (Array.isArray(data)) return data.length;
  const shown = (Object.values(data) as (ShownTask | readonly ShownTask[])[])
    .flat()
    .filter(
      (task) =>
        Object.keys(task).length === shownCount &&
        task.status === 'RUNNING' &&
        task.progress >= 0.1 &&
        task.progress < 0.9 &&
        task.rawStatus === 'IN_PROGRESS' &&
        !task.isTerminal,
    );
  return new Set(shown.map(({ id }) => id)).size;
}

const calls = { runTaskQueries };
export type TaskLoadCalls = typeof calls;
serveCalls(calls);
