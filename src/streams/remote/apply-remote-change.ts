import { ownerOfTopic } from '../../generations/publish-changes.ts';
import type { Store } from '../../store/store.ts';
import type { Streams } from '../streams.ts';

/**
 * Another instance changed a generation. If that runs here, checks whether it was ended. If it has ended here and was
 * deleted, removes its log. @throws RecordsUnavailableError if the record cannot be read
 */
export async function applyRemoteChange(
  { streams, store }: { readonly streams: Streams; readonly store: Pick<Store, 'findSummaries'> },
  topic: string,
  id: string,
): Promise<void> {
  streams.checkEnded(id);
  const owner = ownerOfTopic(topic);
  if (owner === undefined || streams.findAny(id)?.end === undefined) return;
  const [summary] = await store.findSummaries(owner, [id]);
  if (!summary) streams.forget(id);
}
