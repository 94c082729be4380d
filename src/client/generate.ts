import type { Client } from 'graphql-ws';
import type { CreateRun, Creation } from './create-run.ts';
import type * as documents from './documents.generated.ts';
import { problemFields } from './sent-texts.ts';
import { followKnown, followTask } from './follow-generation.ts';
import { type GenerationFields, generationFields, type GenerationView } from './generation-view.ts';

/** The input of each create. The type of the input has the name of its field. */
export interface GenerateInputs {
  readonly adjustSongSpeed: documents.AdjustSongSpeedInput;
  readonly createAnimation: documents.CreateAnimationInput;
  readonly createImage: documents.CreateImageInput;
  readonly createReferenceVideo: documents.CreateReferenceVideoInput;
  readonly createSong: documents.CreateSongInput;
  readonly createSongCover: documents.CreateSongCoverInput;
  readonly createSpeech: documents.CreateSpeechInput;
  readonly createTransitionVideo: documents.CreateTransitionVideoInput;
  readonly createVideo: documents.CreateVideoInput;
  readonly fillImage: documents.FillImageInput;
  readonly generateContent: documents.GenerateContentInput;
  readonly queueImage: documents.QueueImageInput;
  readonly queueInpainting: documents.QueueInpaintingInput;
}

export type GenerateField = keyof GenerateInputs;

export type GenerationRun = CreateRun<GenerationView>;

export function generateText(field: GenerateField): string {
  const [first = ''] = field;
  const type = `${first.toUpperCase()}${field.slice(1)}Input`;
  return `mutation Create($input:${type}!$idempotencyKey:ID$collection:ID){${field}(input:$input idempotencyKey:$idempotencyKey collection:$collection){__typename ...on Generation{${generationFields}}${problemFields}}}`;
}

/** How a generation is created and followed. */
export function toCreation(client: Client, field: GenerateField): Creation<GenerationView, GenerationFields> {
  return {
    text: generateText(field),
    follow: (created, sink) =>
      'status' in created ? followTask(client, created, sink) : followKnown(client, created.id, sink),
  };
}
