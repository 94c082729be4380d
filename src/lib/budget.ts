import type { Clock } from './clock.ts';

export interface BudgetOptions {
  readonly max: number;
  readonly periodMs: number;
  readonly clock: Pick<Clock, 'elapsed'>;
}

/** An amount that may be used in a period. It grows back evenly. */
export function createBudget({ max, periodMs, clock }: BudgetOptions) {
  let left = max;
  let countedAt = clock.elapsed();
  return {
    /** Uses an amount. Returns false, and uses nothing, if less is left. */
    take(amount: number): boolean {
      const now = clock.elapsed();
      left = Math.min(max, left + ((now - countedAt) / periodMs) * max);
      countedAt = now;
      if (amount > left) return false;
      left -= amount;
      return true;
    },
  };
}
