import { emptyGeneration } from './empty-generation.ts';
import type { ClientParts } from './chat.ts';
import type { GenerateField, GenerateInputs, GenerationRun } from './generate.ts';
import { loadOnce, loadViews } from './load.ts';
import { toProblem } from './problem.ts';
import { type CreateOptions, toRequest } from './request.ts';

export interface Generate<Field extends GenerateField> {
  readonly field: Field;
  readonly input: GenerateInputs[Field];
  readonly options: CreateOptions;
}

/** A create whose code is loaded when it is used. Its key exists at once. */
export function loadGeneration<Field extends GenerateField>(
  { client, keys }: ClientParts,
  { field, input, options }: Generate<Field>,
): GenerationRun {
  const request = toRequest(keys, { operation: field, input, ...options });
  const load = loadOnce(async () =>
    (await import('./generate.ts')).createGeneration(client, { field, input, request }),
  );
  const fail = (cause: unknown) => ({ ...emptyGeneration, error: toProblem(cause) });
  return {
    key: request.key,
    [Symbol.asyncIterator]: () => loadViews(load, fail, options.signal),
    stop: () => load().then((run) => run.stop(), fail),
  };
}
