import type { ObjectRef } from '@pothos/core';
import { type Asset, withIndexes } from '../generations/asset.ts';
import { isTerminal, type LazyGeneration, type StoredOutput, type Task } from '../store/records.ts';
import type { StreamAccess } from '../streams/stream-access.ts';
import type { Types } from './builder.ts';
import type { Context } from './context.ts';
import { withContents } from './contents.ts';
import { findStream } from './find-stream.ts';
import type { Graph } from './graph.ts';

export interface OutputType<Output extends StoredOutput = StoredOutput> {
  /** The `type` of its stored outputs. The methods below receive no others. */
  readonly type: Output['type'];
  ref(graph: Graph): ObjectRef<Types, Output>;
  /** The files of an output. @default none */
  assets?(output: Output): readonly Asset[];
  /** Its text, one for each candidate. @default none */
  texts?(output: Output): readonly string[];
}

/** By the `type` of stored outputs. */
export type OutputTypes = ReadonlyMap<string, OutputType>;

export function generationOutputRef(graph: Graph) {
  const { builder, kinds, outputs, use } = graph;
  const refOf = ({ ref }: OutputType): ObjectRef<Types, StoredOutput> => use(ref);
  const kindsOf = (type: OutputType): readonly string[] =>
    [...kinds].flatMap(([name, kind]) => (kind.output === type ? [name] : []));
  return builder.unionType('GenerationOutput', {
    description: `${[...outputs.values()].map((type) => `${refOf(type).name}: ${kindsOf(type).join(', ')}.`).join(' ')} \`Generation.assets\` has the files of every kind.`,
    types: () => [...outputs.values()].map(refOf),
    resolveType(output: StoredOutput) {
      const type = outputs.get(output.type);
      return type ? refOf(type).name : '';
    },
  });
}

/** The output so far, with the addresses of stored files. */
export function findShownOutput(
  graph: Pick<Graph, 'kinds' | 'outputs'>,
  generation: LazyGeneration,
  context: Context,
): StoredOutput | null | Promise<StoredOutput | null> {
  const output = findOutput(graph, generation, context);
  if (!context.engine.files || generation.finishedAt === undefined) return output;
  return showFiles(graph, output, generation, context);
}

/** The files of the output so far, with the addresses of stored files. */
export async function findShownAssets(
  graph: Pick<Graph, 'kinds' | 'outputs'>,
  generation: LazyGeneration,
  context: Context,
): Promise<readonly Asset[]> {
  const assets = assetsOf(graph, await findOutput(graph, generation, context));
  if (!context.engine.files || assets.length === 0) return assets;
  return (await loadStoredFiles()).showAssets(assets, generation, context);
}

/** Loaded only if this server keeps files. */
const loadStoredFiles = () => import('./stored-files.ts');

/** Call only if this server keeps files. */
export async function showFiles<Output extends StoredOutput | null>(
  graph: Pick<Graph, 'outputs'>,
  found: Output | Promise<Output>,
  generation: Pick<LazyGeneration, 'id' | 'finishedAt'>,
  context: Context,
): Promise<StoredOutput | Output> {
  const output = await found;
  const assets = assetsOf(graph, output);
  if (output === null || assets.length === 0) return output;
  return (await loadStoredFiles()).showOutput(output, assets, generation, context);
}

/** The output of a task, with the addresses of stored files. */
export function showTaskOutput(
  graph: Pick<Graph, 'outputs'>,
  { output, generationId, status, updatedAt = 0 }: Task,
  context: Context,
): StoredOutput | undefined | Promise<StoredOutput> {
  if (!context.engine.files || !output || generationId === undefined || !isTerminal(status)) return output;
  const generation = { id: generationId, finishedAt: updatedAt };
  return showFiles(graph, output, generation, context);
}

/** The output so far. */
function findOutput(
  { kinds }: Pick<Graph, 'kinds'>,
  generation: LazyGeneration,
  context: Context,
): StoredOutput | null | Promise<StoredOutput | null> {
  const { stream } = kinds.get(generation.kind) ?? {};
  const mayRunElsewhere = context.engine.remoteStreams && stream && generation.finishedAt === undefined;
  return mayRunElsewhere
    ? findRunningOutput(kinds, generation, context)
    : findOwnOutput(stream, generation, context);
}

/** The output of a generation that another instance may run. */
async function findRunningOutput(
  kinds: Graph['kinds'],
  generation: LazyGeneration,
  context: Context,
): Promise<StoredOutput | null> {
  const stream = await findStream(kinds, generation, context);
  const output = await stream?.findRemoteOutput(generation.id, context.engine);
  return findOwnOutput(stream, output ? { ...generation, output } : generation, context);
}

function findOwnOutput(
  stream: StreamAccess | undefined,
  generation: LazyGeneration,
  context: Context,
): StoredOutput | null | Promise<StoredOutput | null> {
  const find = (loaded: LazyGeneration): StoredOutput | null =>
    stream?.findOutput(loaded, context.engine) ?? loaded.output ?? null;
  return 'output' in generation ? find(generation) : withContents(generation, ['output'], context).then(find);
}

/** The text of an output of any type. */
export function textsOf({ outputs }: Pick<Graph, 'outputs'>, output: StoredOutput): readonly string[] {
  return outputs.get(output.type)?.texts?.(output) ?? [];
}

/** The files of an output of any type. */
export function assetsOf({ outputs }: Pick<Graph, 'outputs'>, output: StoredOutput | null): readonly Asset[] {
  return withIndexes((output && outputs.get(output.type)?.assets?.(output)) ?? []);
}
