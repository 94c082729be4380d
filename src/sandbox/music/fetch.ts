import { requireBearerKey } from '../access/credentials.ts';
import { getJsonBody, replyJson, type Exchange, type Handler } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import { disturbRead, findDistortion, unknownWord } from '../tasks/faults.ts';
import type { Progress } from '../tasks/timeline.ts';
import { getStudio, toWireClip, type SongTask } from './clips.ts';
import { fetchRequest } from './requests.ts';

/** What every task here is; a fetch may ask for this kind alone. */
const taskAction = 'MUSIC';

/** `POST /music/fetch`: the caller's tasks among these ids, once each, in no order to rely on. */
export const handleFetch: Handler = async (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  const { ids, action } = decodeStrictly(fetchRequest, getJsonBody(exchange));
  const { tasks } = getStudio(services);
  const isAsked = action.trim() === '' || action.trim().toUpperCase() === taskAction;
  const found = isAsked ? [...new Set(ids)].flatMap((id) => tasks.find(token, id) ?? []) : [];
  const disturbed = await disturbRead(exchange, found);
  if (disturbed) return disturbed;
  const data = found.toReversed().map((task) => toWireTask(exchange, task, tasks.progressOf(task)));
  return replyJson(exchange, { code: 'success', message: '', data });
};

function toWireTask(exchange: Exchange, task: SongTask, progress: Progress): Record<string, unknown> {
  const { phase, startedAtMs, finishedAtMs } = progress;
  const distortion = findDistortion(task, phase);
  const isComplete = phase === 'succeeded' && (distortion === undefined || distortion === 'never-successful');
  const status = toStatusWord(task, progress);
  return {
    task_id: task.id,
    notify_hook: '',
    action: taskAction,
    status,
    fail_reason: phase === 'failed' ? 'The song could not be generated: the singer lost the tune' : '',
    submit_time: toSeconds(task.createdAtMs),
    start_time: toSeconds(startedAtMs),
    finish_time: status === 'SUCCESS' || status === 'FAILURE' ? toSeconds(finishedAtMs ?? startedAtMs) : 0,
    progress: status === 'SUCCESS' ? '100%' : `${Math.min(99, Math.floor(progress.elapsed * 100))}%`,
    search_item: '',
    data:
      phase === 'failed' || status === 'NOT_START'
        ? []
        : task.work.clips.map((clip) =>
            toWireClip(
              exchange,
              clip,
              isComplete ? 'complete' : progress.done >= 0.5 ? 'streaming' : 'queued',
            ),
          ),
  };
}

function toStatusWord(task: SongTask, { phase, elapsed }: Progress): string {
  const distortion = findDistortion(task, phase);
  if (distortion === 'unknown-word') return unknownWord;
  if (distortion === 'success-too-early') return 'SUCCESS';
  if (distortion === 'never-successful') return 'IN_PROGRESS';
  if (phase === 'succeeded') return 'SUCCESS';
  if (phase === 'running') return 'IN_PROGRESS';
  if (phase !== 'queued') return 'FAILURE';
  if (elapsed < 0.05) return 'NOT_START';
  return elapsed < 0.1 ? 'SUBMITTED' : 'QUEUED';
}

/** Unix seconds; 0 for what has not happened. */
function toSeconds(milliseconds: number | undefined): number {
  return Math.floor((milliseconds ?? 0) / 1000);
}
