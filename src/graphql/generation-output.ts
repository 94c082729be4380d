import type { ObjectRef } from '@pothos/core';
import type { Generation, GenerationKind, StoredOutput } from '../store/records.ts';
import type { Asset } from '../generations/asset.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';

interface OutputType {
  readonly ref: ObjectRef<typeof builder.$inferSchemaTypes, StoredOutput>;
  readonly typeName: string;
  readonly assets: (output: StoredOutput) => readonly Asset[];
}

interface OutputOptions<Output extends StoredOutput> {
  /** The stored output's `type`. */
  readonly type: Output['type'];
  readonly ref: ObjectRef<typeof builder.$inferSchemaTypes, Output>;
  /** The files of an output. @default none */
  readonly assets?: (output: Output) => readonly Asset[];
}

type ReadOutput = (generation: Generation, context: Context) => StoredOutput | undefined;

const outputTypes = new Map<string, OutputType>();
const readers = new Map<GenerationKind, ReadOutput>();

/** Adds a type to the union of all outputs. */
export function registerOutput<Output extends StoredOutput>(options: OutputOptions<Output>): void {
  const { type, ref, assets = () => [] } = options;
  // The union hands each type only values that carry its `type` word.
  outputTypes.set(type, { ref, typeName: ref.name, assets: (output) => assets(output as Output) });
}

/** For kinds whose output as of now may be more than what is recorded. */
export function registerOutputReader(kind: GenerationKind, read: ReadOutput): void {
  readers.set(kind, read);
}

export const GenerationOutputRef = builder.unionType('GenerationOutput', {
  description:
    'What a generation made, in the form of its kind: images of all families are an `ImageSet`, all videos a `Video`.',
  types: () => [...outputTypes.values()].map(({ ref }) => ref),
  resolveType: (output: StoredOutput) => outputTypes.get(output.type)?.typeName ?? '',
});

/** What a generation has made so far. */
export function findOutput(generation: Generation, context: Context): StoredOutput | null {
  return readers.get(generation.kind)?.(generation, context) ?? generation.output ?? null;
}

/** The files of an output, of whatever type. */
export function assetsOf(output: StoredOutput | null | undefined): readonly Asset[] {
  return output ? (outputTypes.get(output.type)?.assets(output) ?? []) : [];
}
