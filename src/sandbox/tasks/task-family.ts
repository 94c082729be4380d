import { requireBearerKey } from '../access/credentials.ts';
import type { Token } from '../access/tokens.ts';
import { notFound } from '../http/errors.ts';
import {
  getJsonBody,
  getMediaOrigin,
  getOrigin,
  getQuery,
  replyJson,
  type Exchange,
  type Handler,
  type Services,
} from '../http/routes.ts';
import { perSandbox } from '../per-sandbox.ts';
import { disturbRead } from './faults.ts';
import { replyPaidWork, type Call, type PaidWork } from './paid-work.ts';
import { firstReading, readTask, type Reading, type StatusWords } from './read-task.ts';
import { createTaskList, type NewTask, type Task, type TaskList } from './task-list.ts';
import type { Faults } from './faults.ts';

/** A task and its state at one read. */
export interface TaskView<Work, Word> extends Reading<Word> {
  readonly id: string;
  readonly work: Work;
  readonly createdAtMs: number;
  /** The last time that the status changed. */
  readonly updatedAtMs: number;
  /** The sandbox's address, for links to endpoints. */
  readonly origin: string;
  readonly mediaOrigin: string;
}

/** How one family of tasks looks on the wire. */
export interface TaskFamilyOptions<Work, Word> {
  /** The noun for a task in messages. */
  readonly noun: string;
  readonly words: StatusWords<Word>;
  /** @default requireBearerKey */
  readonly authenticate?: (exchange: Exchange, services: Services) => Token;
  /** The body of a read. */
  readonly toRecord: (view: TaskView<Work, Word>) => unknown;
  /**
   * The body of the reply to a creation.
   * @default the record of a queued task
   */
  readonly toAcknowledgement?: (view: TaskView<Work, Word>) => unknown;
}

/** A request to create a task. */
export interface TaskOrder<Work> extends Omit<PaidWork, 'perform'> {
  /** Called when the request is accepted. */
  readonly plan: (faults: Faults) => Omit<NewTask<Work>, 'token' | 'faults'>;
}

export interface TaskFamily<Work, Word> {
  readonly list: (services: Services) => TaskList<Work>;
  readonly authenticate: (exchange: Exchange, services: Services) => Call;
  /** The caller's task. Refuses the request (404) if there is none. */
  readonly get: (call: Call, id: string | undefined) => Task<Work>;
  readonly view: (call: Pick<Call, 'exchange' | 'services'>, task: Task<Work>) => TaskView<Work, Word>;
  readonly create: (toOrder: ToOrder<Work>) => Handler;
  readonly read: (options?: ReadOptions<Work, Word>) => Handler;
}

/** Decodes and checks a body. If it returns a `Response`, that is sent and no task is created. */
type ToOrder<Work> = (
  body: unknown,
  call: Call,
) => TaskOrder<Work> | Response | Promise<TaskOrder<Work> | Response>;

interface ReadOptions<Work, Word> {
  /** @default the task that the path names in `:id` */
  readonly find?: (call: Call) => Task<Work> | Response;
  /** @default the record of the family */
  readonly toReply?: (view: TaskView<Work, Word>) => unknown;
}

export function createTaskFamily<Work, Word>({
  noun,
  words,
  authenticate: findToken = requireBearerKey,
  toRecord,
  toAcknowledgement = toRecord,
}: TaskFamilyOptions<Work, Word>): TaskFamily<Work, Word> {
  const list = perSandbox(createTaskList<Work>);
  const authenticate = (exchange: Exchange, services: Services): Call => {
    return { exchange, services, token: findToken(exchange, services) };
  };
  const get = ({ services, token }: Call, id = ''): Task<Work> => {
    const task = list(services).find(token, id);
    if (!task) throw notFound(`${id}: no such ${noun}`);
    return task;
  };
  const findByPath = (call: Call): Task<Work> => {
    getQuery(call.exchange, []);
    return get(call, call.exchange.req.param('id'));
  };
  return {
    list,
    authenticate,
    get,
    view: ({ exchange, services }, task) => toView(exchange, task, readTask(list(services), task, words)),
    create: (toOrder) => async (exchange, services) => {
      const call = authenticate(exchange, services);
      const order = await toOrder(getJsonBody(exchange), call);
      if (order instanceof Response) return order;
      const perform = (faults: Faults): unknown => {
        const task = list(services).add({ ...order.plan(faults), token: call.token, faults });
        return toAcknowledgement(toView(exchange, task, firstReading(words)));
      };
      return replyPaidWork(call, { ...order, perform });
    },
    read:
      ({ find = findByPath, toReply = toRecord } = {}) =>
      async (exchange, services) => {
        const task = find(authenticate(exchange, services));
        if (task instanceof Response) return task;
        const disturbed = await disturbRead(
          exchange,
          [task],
          (read) => list(services).progressOf(read).phase,
        );
        if (disturbed) return disturbed;
        const reading = readTask(list(services), task, words);
        return replyJson(exchange, toReply(toView(exchange, task, reading)));
      },
  };
}

function toView<Work, Word>(
  exchange: Exchange,
  { id, work, createdAtMs }: Task<Work>,
  reading: Reading<Word>,
): TaskView<Work, Word> {
  const { finishedAtMs, startedAtMs } = reading.progress;
  const updatedAtMs = finishedAtMs ?? startedAtMs ?? createdAtMs;
  const origins = { origin: getOrigin(exchange), mediaOrigin: getMediaOrigin(exchange) };
  return { ...reading, id, work, createdAtMs, updatedAtMs, ...origins };
}
