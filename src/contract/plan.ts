import type { Case, Stage } from './cases/case.ts';
import { createStage, recordStage } from './cases/creates.ts';
import { endedStage } from './cases/ended.ts';
import { runningStage } from './cases/running.ts';
import { rules } from './rules.ts';

export interface PlanOptions {
  /** Numbers of rules, or beginnings of them such as `5`. @default all */
  readonly only?: readonly string[] | undefined;
  /** Whether each rule has only its first case. @default false */
  readonly isQuick?: boolean | undefined;
}

/** Cases that run together, after their stage has opened. */
export interface Wave {
  readonly stage: Stage;
  readonly cases: readonly Case[];
}

export interface Plan {
  readonly waves: readonly Wave[];
  readonly cases: readonly Case[];
  /** Chats that it creates, if every case runs. */
  readonly chats: number;
}

const stages: readonly Stage[] = [
  endedStage('Completed'),
  endedStage('Canceled'),
  runningStage,
  createStage,
  recordStage,
];

/** @throws RangeError for a rule that does not exist, and if no rule can be tested by this program */
export function createPlan({ only, isQuick = false }: PlanOptions = {}): Plan {
  const isMeant = (rule: string, wanted: string): boolean => rule === wanted || rule.startsWith(`${wanted}.`);
  const unknown = only?.find((wanted) => !rules.some(({ number }) => isMeant(number, wanted)));
  if (unknown !== undefined) throw new RangeError(`there is no rule ${unknown}`);
  const seen = new Set<string>();
  const isSelected = ({ rule }: Case): boolean => {
    if (only && !only.some((wanted) => isMeant(rule, wanted))) return false;
    if (isQuick && seen.has(rule)) return false;
    seen.add(rule);
    return true;
  };
  const waves = stages.flatMap((stage, index) => {
    const cases = stage.cases.filter(isSelected);
    // The first stage finds out what the installation offers.
    if (cases.length === 0) return index === 0 ? [{ stage, cases }] : [];
    const size = stage.waveSize ?? cases.length;
    return Array.from({ length: Math.ceil(cases.length / size) }, (_, wave) => ({
      stage,
      cases: cases.slice(wave * size, (wave + 1) * size),
    }));
  });
  const cases = waves.flatMap((wave) => wave.cases);
  // A run would create a chat and report nothing.
  const untested =
    cases.length === 0 && rules.find(({ number }) => only?.some((wanted) => isMeant(number, wanted)));
  if (untested) throw new RangeError(`rule ${untested.number} ${untested.elsewhere}`);
  const chats =
    waves.reduce((sum, { stage }) => sum + stage.chats, 0) +
    cases.reduce((sum, one) => sum + (one.chats ?? 0), 0);
  return { waves, cases, chats };
}
