import { StreamError } from '../errors.ts';
import { fromFailure, toFailure } from '../generations/failure.ts';
import type { LazyGeneration } from '../store/records.ts';
import type { StreamedKind, StreamOutcome } from './streamed-kind.ts';

/** The end of a stream from its record, or from what is known of it if its record was deleted. */
export function toRecordedOutcome(
  { noun }: Pick<StreamedKind<never, never>, 'noun'>,
  known: LazyGeneration,
  record: LazyGeneration | undefined,
): StreamOutcome {
  if (record?.status === 'SUCCEEDED') return { type: 'completed', generation: record };
  if (record?.status === 'CANCELED') return { type: 'canceled', generation: record };
  const failure =
    record?.error ??
    known.error ??
    toFailure(
      known.isVisible
        ? new StreamError('INTERRUPTED', `This ${noun} was stopped, or its record was deleted.`)
        : new StreamError(
            'INTERRUPTED',
            `The record of this ${noun} was deleted, probably because it was not sent or was refused.`,
            { retry: 'SAME_KEY' },
          ),
    );
  return {
    type: 'failed',
    generation: record ?? { ...known, status: 'FAILED', error: failure },
    error: fromFailure(failure, known.id),
  };
}
