import { ExpectedError, NotCancelableError } from '../errors.ts';
import type { Caller, CredentialForm } from '../gateway/caller.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { type FilledPath, linkOf } from '../gateway/path.ts';
import { isRecord, type Json } from '../lib/json.ts';
import { isTerminal, type Task } from '../store/records.ts';
import type { TaskKinds } from './task-kinds.ts';
import type { Tasks } from './tasks.ts';

export interface CancelCall {
  readonly gateway: Gateway;
  readonly tasks: Tasks;
  readonly taskKinds: TaskKinds;
  readonly caller: Caller;
  readonly requestId?: string | undefined;
}

/** Whether the task has not ended, its kind has a cancel method, and its cancel address is trusted. */
export function isCancelableTask(
  task: Task,
  { gateway, taskKinds }: Pick<CancelCall, 'gateway' | 'taskKinds'>,
): boolean {
  const { cancel } = task.links ?? {};
  const hasCancelMethod = taskKinds.find(task.kind)?.cancelMethod !== undefined;
  return hasCancelMethod && !isTerminal(task.status) && cancel !== undefined && gateway.isTrusted(cancel);
}

/**
 * Sends a cancel to the gateway, then reads the task again. Some tasks stop immediately, others after a while.
 * @throws NotCancelableError, or the gateway's refusal unless the task has ended meanwhile
 */
export async function cancelTask(call: CancelCall, task: Task): Promise<void> {
  const { tasks, caller } = call;
  const { reply, refusal } = await sendCancel(call, task);
  if (!tasks.isTrackable(task)) {
    if (refusal) throw refusal;
    await recordEnd(call, task, reply);
    return;
  }
  const now = await tasks.readFresh(caller, task.id);
  const hasEnded = now !== undefined && !(now instanceof Error) && isTerminal(now.status);
  if (refusal && !hasEnded) throw refusal;
}

interface Answer {
  readonly reply?: Json;
  readonly refusal?: ExpectedError;
}

/** A cancel may be repeated, so it is retried like a read. Its reply may be empty. */
async function sendCancel(call: CancelCall, task: Task): Promise<Answer> {
  const { gateway, caller, requestId } = call;
  const { method, path, form } = getCancelAddress(task, call);
  try {
    return {
      reply: await gateway.read({ method, path, form, caller, requestId, isDocumentOptional: true }),
    };
  } catch (error) {
    if (error instanceof ExpectedError) return { refusal: error };
    throw error;
  }
}

function getCancelAddress(
  { kind, links, upstreamId, generationId }: Task,
  { gateway, taskKinds }: CancelCall,
): { readonly method: 'POST' | 'PUT'; readonly path: FilledPath; readonly form: CredentialForm } {
  const { cancelMethod: method, form = 'bearer' } = taskKinds.find(kind) ?? {};
  const url = links?.cancel;
  if (method === undefined)
    throw new NotCancelableError('The gateway documents no way to cancel tasks of this kind.', {
      generationId,
    });
  if (url === undefined)
    throw new NotCancelableError('The gateway returned no cancel address for this task.', { generationId });
  if (gateway.isTrusted(url)) return { method, path: linkOf(url, upstreamId), form };
  throw new NotCancelableError("The task's cancel address is not on a trusted origin.", { generationId });
}

/** Records the end from the cancel's reply, for tasks that cannot be read. */
async function recordEnd(
  { tasks, taskKinds }: CancelCall,
  task: Task,
  reply: Json | undefined,
): Promise<void> {
  const reading = isRecord(reply) ? taskKinds.find(task.kind)?.decode?.(reply) : undefined;
  if (reading && isTerminal(reading.status)) await tasks.record(task, reading);
}
