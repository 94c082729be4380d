import type { ObjectRef } from '@pothos/core';
import { type Asset, withIndexes } from '../generations/asset.ts';
import type { LazyGeneration, StoredOutput } from '../store/records.ts';
import type { StreamAccess } from '../streams/stream-access.ts';
import type { Types } from './builder.ts';
import type { Context } from './context.ts';
import { withContents } from './contents.ts';
import { findStream } from './find-stream.ts';
import type { Graph } from './graph.ts';

/** One type of output. */
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

/** The output so far. */
export function findOutput(
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
