import { createBudget } from '../lib/budget.ts';
import type { Clock } from '../lib/clock.ts';

/** Refusals in ten minutes of all callers that the gateway has not accepted. Any text may be a credential, and another owner. */
const maxUnaccepted = 20_000;

/** Whether a refusal of this create keeps its key. Call once for each refusal. */
export type KeepsRefusal = (create: {
  readonly key: { readonly source: string } | undefined;
  readonly isCallerAccepted?: boolean;
}) => boolean;

export function createKeptRefusals(clock: Clock): KeepsRefusal {
  const unaccepted = createBudget({ max: maxUnaccepted, periodMs: 600_000, clock });
  return ({ key, isCallerAccepted = true }) =>
    key?.source === 'operation' && (isCallerAccepted || unaccepted.take(1));
}
