import { StreamError } from '../../errors.ts';
import { fromFailure, toFailure } from '../../generations/failure.ts';
import type { Generation } from '../../store/records.ts';
import type { StreamedKind, StreamOutcome } from '../streamed-kind.ts';

/** The end of a stream from its record, which is undefined if it was deleted: then it ends now. */
export function toRecordedOutcome(
  { noun }: Pick<StreamedKind<never, never>, 'noun'>,
  generation: Generation,
  { record, now }: { readonly record: Generation | undefined; readonly now: number },
): StreamOutcome {
  if (record?.status === 'SUCCEEDED') return { type: 'completed', generation: record };
  if (record?.status === 'CANCELED') return { type: 'canceled', generation: record };
  const failure =
    record?.error ??
    toFailure(new StreamError('INTERRUPTED', `This ${noun} was stopped, or its record was deleted.`));
  return {
    type: 'failed',
    generation: record ?? { ...generation, status: 'FAILED', error: failure, finishedAt: now },
    error: fromFailure(failure, generation.id),
  };
}
