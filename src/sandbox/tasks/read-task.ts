import { findDistortion, unknownWord } from './faults.ts';
import type { Task, TaskList } from './task-list.ts';
import { isTerminal, type Phase, type Progress } from './timeline.ts';

/** The status words (or numbers) of a family, one per phase, and one that clients do not know. */
export type StatusWords<Word> = Readonly<Record<Phase | 'unknown', Word>>;

/** The words that most families share. */
export const commonWords = { failed: 'failed', canceled: 'canceled', unknown: unknownWord } as const;

/** The error message of a task that fails because of a fault. */
export const outOfMemory = 'The model ran out of memory while it was generating';

/** The state of a task as a read shows it, including the effect of faults. */
export interface Reading<Word> {
  readonly status: Word;
  readonly progress: Progress;
  readonly hasResult: boolean;
  readonly hasFailed: boolean;
  /** Whether the read may show that the work has ended, for example by an end time. */
  readonly hasEnded: boolean;
}

/** The reading of a task that was just created, even if tasks take no time. */
export function firstReading<Word>(words: StatusWords<Word>): Reading<Word> {
  const progress = {
    phase: 'queued',
    elapsed: 0,
    done: 0,
    startedAtMs: undefined,
    finishedAtMs: undefined,
  } as const;
  return { status: words.queued, progress, hasResult: false, hasFailed: false, hasEnded: false };
}

export function readTask<Work, Word>(
  tasks: TaskList<Work>,
  task: Task<Work>,
  words: StatusWords<Word>,
): Reading<Word> {
  const progress = tasks.progressOf(task);
  const { phase } = progress;
  const { shownPhase, isResultHidden } = findDistortion(task, phase);
  return {
    status: words[shownPhase],
    progress,
    hasResult: phase === 'succeeded' && !isResultHidden,
    hasFailed: phase === 'failed',
    hasEnded: isTerminal(phase) && shownPhase === phase,
  };
}
