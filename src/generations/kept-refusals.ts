import { createBudget } from '../lib/budget.ts';
import type { Clock } from '../lib/clock.ts';
import type { Creation } from '../store/records.ts';
import type { Deadline, Store } from '../store/store.ts';
import { toFailure } from './failure.ts';

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

interface Refusal {
  readonly error: unknown;
  readonly clock: Pick<Clock, 'now'>;
  /** @default a new one */
  readonly deadline?: Deadline | undefined;
}

/** Claims the key of a create for its refusal, which expires as of now. Returns the creation that holds the key, if any. */
export function claimRefused(
  store: Pick<Store, 'claim'>,
  creation: Creation,
  { error, clock, deadline }: Refusal,
): Promise<Creation | undefined> {
  const refused: Creation = {
    ...creation,
    phase: 'SETTLED',
    failure: toFailure(error),
    createdAt: clock.now(),
  };
  return store.claim(refused, undefined, { deadline });
}
