import type { Token } from '../access/tokens.ts';
import { replyJson, type Exchange, type Services } from '../http/routes.ts';
import { openBill } from './billing.ts';
import { disturbCreation, findFaults, refuseCreation, type Faults } from './faults.ts';
import type { NewTask, Task, TaskList } from './task-list.ts';

export interface Beginning<Work> {
  readonly exchange: Exchange;
  readonly services: Services;
  readonly token: Token;
  /** The model's names: the first is the one that a channel is chosen by. */
  readonly models: readonly [string, ...string[]];
  /** Price before the channel's ratio. */
  readonly units: number;
  /** What may ask for faults. */
  readonly texts: readonly string[];
  readonly tasks: TaskList<Work>;
  /** Called once nothing stands in the task's way. */
  readonly plan: (faults: Faults) => Omit<NewTask<Work>, 'token' | 'faults'>;
  /** The reply's body: the task as it begins, however fast the rest is. */
  readonly toReply: (task: Task<Work>) => unknown;
}

/** Creates a task, as far as nothing goes wrong: bills it, plays the faults that it asks for, and answers. */
export async function beginTask<Work>(beginning: Beginning<Work>): Promise<Response> {
  const { exchange, services, token, models, units, texts, tasks, plan, toReply } = beginning;
  const charge = openBill(services, { token, models, units });
  const faults = findFaults(texts);
  const refused = refuseCreation(faults);
  if (refused) return refused;

  const task = tasks.add({ ...plan(faults), token, faults });
  charge();
  return (await disturbCreation(exchange, faults)) ?? replyJson(exchange, toReply(task));
}
