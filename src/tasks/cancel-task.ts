import { ExpectedError, GatewayError, NotCancelableError } from '../errors.ts';
import type { Caller } from '../gateway/caller.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Task } from '../store/records.ts';
import { isTerminal } from './status.ts';
import { findTaskKind } from './task-kinds.ts';
import type { Tasks } from './tasks.ts';

export interface CancelCall {
  readonly gateway: Gateway;
  readonly tasks: Tasks;
  readonly caller: Caller;
}

/** Whether the gateway gave an address that cancels this task, and it may be followed. */
export function isCancelableTask(task: Task, gateway: Gateway): boolean {
  const { cancel } = task.links ?? {};
  const isKnown = findTaskKind(task.kind)?.cancelMethod !== undefined;
  return isKnown && !isTerminal(task.status) && cancel !== undefined && gateway.isTrusted(cancel);
}

/**
 * Asks the gateway to stop a task, and then how it stands: some stop at once, some a while later.
 * @throws NotCancelableError, and what the gateway refuses it with unless the task has ended meanwhile
 */
export async function cancelTask({ gateway, tasks, caller }: CancelCall, task: Task): Promise<void> {
  const { cancelMethod: method, form = 'bearer' } = findTaskKind(task.kind) ?? {};
  const path = task.links?.cancel;
  if (method === undefined || path === undefined)
    throw new NotCancelableError('The gateway gave no address that cancels this work.');
  if (!gateway.isTrusted(path))
    throw new NotCancelableError(
      'The address that cancels this work is outside the origins that this API follows.',
    );
  const refusal = await refusalOf(() => gateway.read({ method, path, form, caller }));
  const [now] = await tasks.read(caller, [task.id]);
  const isOver = now !== undefined && !(now instanceof Error) && isTerminal(now.status);
  if (refusal && !isOver) throw refusal;
}

/** A cancel may be repeated; what is not an object in reply to it is no refusal. */
async function refusalOf(call: () => Promise<unknown>): Promise<ExpectedError | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError && error.status !== undefined && error.status < 300) return undefined;
    if (error instanceof ExpectedError) return error;
    throw error;
  }
}
