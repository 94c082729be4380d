import type { LazyGeneration } from '../store/records.ts';
import type { StreamAccess } from '../streams/stream-access.ts';
import { withContents } from './contents.ts';
import type { Context } from './context.ts';
import type { Graph } from './graph.ts';

/** The stream of a generation, for kinds that have no task. */
export async function findStream(
  kinds: Graph['kinds'],
  generation: LazyGeneration,
  context: Context,
): Promise<StreamAccess | undefined> {
  const { stream } = kinds.get(generation.kind) ?? {};
  if (!stream?.isStreamed) return stream;
  const { input = {} } = await withContents(generation, ['input'], context);
  return stream.isStreamed({ input }) ? stream : undefined;
}
