import { IdempotencyConflictError, InvalidInputError, NotContinuableError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Creation, Generation } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { claimRefused } from './kept-refusals.ts';

/** What to do with a create: claim its generation, or attach to the create that holds its key. */
export interface PreparedCreate {
  /** Absent for creates that make none. */
  readonly generation?: Generation | undefined;
  readonly holder?: Creation;
}

export interface Preparation {
  readonly generation?: Generation | undefined;
  /** @throws ExpectedError */
  readonly prepare?: (() => Promise<Generation>) | undefined;
  /** Whether a refusal that can pass claims the key: its client may have sent the create to another server, too. */
  readonly keepsRefusal: () => boolean;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Completes the generation of a create, unless its key is in use: a duplicate needs nothing that may have been deleted since.
 * @throws the error of a create that cannot be prepared
 */
export async function prepareCreate(
  store: Pick<Store, 'findCreation' | 'claim'> & { readonly sharing?: unknown },
  creation: Creation,
  { generation, prepare, keepsRefusal, clock }: Preparation,
): Promise<PreparedCreate> {
  if (!prepare) return { generation };
  const { owner, key } = creation;
  const findHolder = async (): Promise<Creation | undefined> =>
    key === undefined ? undefined : store.findCreation(owner, key);
  const holder = await findHolder();
  if (holder) return { holder };
  try {
    return { generation: await prepare() };
  } catch (error) {
    // A duplicate may have been sent meanwhile, on another instance, or may be sent later.
    const isKept = store.sharing && mayPass(error) && keepsRefusal();
    const sent = isKept ? await claimRefused(store, creation, { error, clock }) : await findHolder();
    if (sent && isSameCreate(sent, creation)) return { holder: sent };
    throw error;
  }
}

/** Whether the same create may be possible later. */
function mayPass(error: unknown): boolean {
  if (error instanceof InvalidInputError) return error.isMissing;
  return error instanceof NotContinuableError && error.reason === 'RUNNING';
}

export function isSameCreate(
  left: Pick<Creation, 'operation' | 'fingerprint'>,
  right: Pick<Creation, 'operation' | 'fingerprint'>,
): boolean {
  return left.operation === right.operation && left.fingerprint === right.fingerprint;
}

/** @throws IdempotencyConflictError unless the holder of the key is the same create */
export function assertSameCreate(
  holder: Creation,
  creation: Creation,
  { generation }: Pick<Preparation, 'generation'>,
): void {
  if (isSameCreate(holder, creation)) return;
  throw new IdempotencyConflictError(generation && holder.subjectId);
}
