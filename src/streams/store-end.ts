import type { Engine } from '../generations/engine.ts';
import type { GenerationPatch, GenerationSummary } from '../store/records.ts';

/**
 * Records the end of a stream. Resolves only when that has succeeded: nobody may see an end that is not recorded. Undefined if
 * the record was deleted.
 */
export async function storeEnd(
  { store, writeRetries, log }: Pick<Engine, 'store' | 'writeRetries' | 'log'>,
  id: string,
  end: GenerationPatch,
): Promise<GenerationSummary | undefined> {
  try {
    return await store.endGeneration(id, end);
  } catch (err) {
    log.error({ err, generationId: id }, 'could not record the end of a stream; retrying');
    const { promise, resolve } = Promise.withResolvers<GenerationSummary | undefined>();
    writeRetries.add('the end of a stream', async () => resolve(await store.endGeneration(id, end)));
    return promise;
  }
}
