import { type Case, messageOf } from './cases/case.ts';
import { NotApplicable } from './not-applicable.ts';
import type { Plan, Wave } from './plan.ts';
import type { World } from './world.ts';

export interface Outcome {
  readonly rule: string;
  readonly name: string;
  readonly isFault: boolean;
  readonly result: 'held' | 'failed' | 'not applicable';
  /** Why it did not hold. */
  readonly reason?: string;
}

/** The installation cannot be tested at all. */
export class Unreachable extends Error {}

/** Runs all cases. @throws Unreachable if the first chat cannot be created */
export async function runPlan(
  { waves }: Plan,
  world: World,
  onWave: (wave: Wave) => void = () => {},
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [index, wave] of waves.entries()) {
    onWave(wave);
    const { stage, cases } = wave;
    try {
      const opened = await stage.open(world);
      outcomes.push(...(await Promise.all(cases.map((one) => runCase(one, opened, world)))));
    } catch (error) {
      if (index === 0) throw new Unreachable(messageOf(error), { cause: error });
      outcomes.push(...cases.map((one) => toOutcome(one, new Error(`${stage.name}: ${messageOf(error)}`))));
    }
    await world.closeConnections();
  }
  return outcomes;
}

async function runCase(one: Case, opened: unknown, world: World): Promise<Outcome> {
  try {
    await one.run(opened, world);
    return toOutcome(one);
  } catch (error) {
    return toOutcome(one, error);
  }
}

function toOutcome({ rule, name, isFault = false }: Case, error?: unknown): Outcome {
  const facts = { rule, name, isFault };
  if (error === undefined) return { ...facts, result: 'held' };
  return {
    ...facts,
    result: error instanceof NotApplicable ? 'not applicable' : 'failed',
    reason: messageOf(error),
  };
}
