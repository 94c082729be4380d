import type { ReconnectingClient } from './reconnecting.ts';
import type { CreateRun, Creation } from './create-run.ts';
import type { GenerateInputs } from './creates.generated.ts';
import { problemFields } from './sent-texts.ts';
import { followKnown, followTask } from './follow-generation.ts';
import { type GenerationFields, generationFields, type GenerationView } from './generation-view.ts';

export type GenerateField = keyof GenerateInputs;

export type GenerationRun = CreateRun<GenerationView>;

/** The type of the input has the name of its field. */
export function generateText(field: string): string {
  const [first = ''] = field;
  const type = `${first.toUpperCase()}${field.slice(1)}Input`;
  return `mutation Create($input:${type}!$idempotencyKey:ID$collection:ID){${field}(input:$input idempotencyKey:$idempotencyKey collection:$collection){__typename ...on Generation{${generationFields}}${problemFields}}}`;
}

/** How a generation is created and followed. */
export function toCreation(
  client: ReconnectingClient,
  field: GenerateField,
): Creation<GenerationView, GenerationFields> {
  return {
    text: generateText(field),
    follow: (created, sink) =>
      'status' in created ? followTask(client, created, sink) : followKnown(client, created.id, sink),
  };
}
