import { type ClientParts, createRun } from './create-run.ts';
import { emptyGeneration, failGeneration } from './empty-generation.ts';
import type { GenerateField, GenerationRun } from './generate.ts';
import type { RequestDescription } from './request.ts';

/** A create whose code is loaded when it is used: pages that only chat do not pay for it. */
export function loadGeneration(
  parts: ClientParts,
  description: RequestDescription<GenerateField>,
): GenerationRun {
  return createRun({
    parts,
    description,
    empty: emptyGeneration,
    fail: failGeneration,
    load: async () => (await import('./generate.ts')).toCreation(parts.client, description.operation),
  });
}
