import type { ObjectRef } from '@pothos/core';
import type { Generation, GenerationKind, StoredOutput } from '../store/records.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';

interface OutputType {
  readonly ref: ObjectRef<typeof builder.$inferSchemaTypes, StoredOutput>;
  readonly typeName: string;
}

interface OutputOptions<Output extends StoredOutput> {
  readonly kind: GenerationKind;
  /** The stored output's `type`. */
  readonly type: Output['type'];
  readonly ref: ObjectRef<typeof builder.$inferSchemaTypes, Output>;
  /** The output as of now, where that may be more than what is recorded. */
  readonly live?: (generation: Generation, context: Context) => Output | undefined;
}

const outputTypes = new Map<string, OutputType>();
const liveOutputs = new Map<
  GenerationKind,
  (generation: Generation, context: Context) => StoredOutput | undefined
>();

/** Adds a capability's output to the union of all outputs. */
export function registerOutput<Output extends StoredOutput>({
  kind,
  type,
  ref,
  live,
}: OutputOptions<Output>): void {
  // The union hands each type only values that carry its `type` word.
  outputTypes.set(type, { ref: ref, typeName: ref.name });
  if (live) liveOutputs.set(kind, live);
}

export const GenerationOutputRef = builder.unionType('GenerationOutput', {
  description: 'What a generation made, in the form of its kind.',
  types: () => [...outputTypes.values()].map(({ ref }) => ref),
  resolveType: (output: StoredOutput) => outputTypes.get(output.type)?.typeName ?? '',
});

/** What a generation has made so far. */
export function findOutput(generation: Generation, context: Context): StoredOutput | null {
  return liveOutputs.get(generation.kind)?.(generation, context) ?? generation.output ?? null;
}
