import { findDistortion } from './faults.ts';
import type { Task, TaskList } from './task-list.ts';
import type { Phase, Progress } from './timeline.ts';

/** A family's words, or numbers, for what a task goes through, and one that stands for nothing. */
export type StatusWords<Word> = Readonly<Record<Phase | 'unheard', Word>>;

/** What a read tells of a task, faults included. */
export interface Reading<Word> {
  readonly status: Word;
  readonly progress: Progress;
  /** Whether the result is shown. */
  readonly hasResult: boolean;
  readonly hasFailed: boolean;
}

export function readTask<Work, Word>(
  tasks: TaskList<Work>,
  task: Task<Work>,
  words: StatusWords<Word>,
): Reading<Word> {
  const progress = tasks.progressOf(task);
  const { phase } = progress;
  const distortion = findDistortion(task, phase);
  const isHeldBack = distortion === 'unknown-word' || distortion === 'success-too-early';
  return {
    status: words[toShownPhase(phase, distortion)],
    progress,
    hasResult: phase === 'succeeded' && !isHeldBack,
    hasFailed: phase === 'failed',
  };
}

function toShownPhase(phase: Phase, distortion: ReturnType<typeof findDistortion>): Phase | 'unheard' {
  switch (distortion) {
    case 'unknown-word':
      return 'unheard';
    case 'success-too-early':
      return 'succeeded';
    case 'never-successful':
      return 'running';
    case undefined:
      return phase;
    default:
      return distortion satisfies never;
  }
}
