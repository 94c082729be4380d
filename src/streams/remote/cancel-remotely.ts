import type { Bus } from '../../bus/bus.ts';
import type { Exchange } from '../../bus/exchange.ts';
import { generationTopic } from '../../generations/publish-changes.ts';
import type { Clock } from '../../lib/clock.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { GenerationSummary } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { answerMs, topics } from './messages.ts';

export interface CancelRemotelyOptions {
  readonly store: Pick<Store, 'findSummaries'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly exchange: Exchange;
  readonly clock: Clock;
}

/**
 * Cancels a stream on the instance that runs it. Returns the generation as that instance recorded its end, undefined if no
 * instance did so in time or its record was deleted.
 * @throws RecordsUnavailableError if the record cannot be read
 */
export async function cancelRemotely(
  { store, bus, exchange, clock }: CancelRemotelyOptions,
  { owner, id, status }: Pick<GenerationSummary, 'owner' | 'id' | 'status'>,
): Promise<GenerationSummary | undefined> {
  if (exchange.connectedAt === undefined) return undefined;
  const ended = Promise.withResolvers<GenerationSummary | undefined>();
  const read = (): void => {
    store.findSummaries(owner, [id]).then(([summary]) => {
      // An end that was recorded while its instance seemed dead is not the answer.
      if (!summary || (summary.finishedAt !== undefined && summary.status !== status)) ended.resolve(summary);
    }, ended.reject);
  };
  const unsubscribe = bus.subscribe(generationTopic(owner), (changedId) => changedId === id && read());
  try {
    exchange.send(topics.cancel, JSON.stringify([id]));
    // It may have ended before the subscription.
    read();
    return await withTimeout(ended.promise, { clock, timeoutMs: answerMs });
  } finally {
    unsubscribe();
  }
}
