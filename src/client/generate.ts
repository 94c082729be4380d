import { emptyGeneration } from './empty-generation.ts';
import type { Client } from 'graphql-ws';
import { type CreateRun, createRun } from './create-run.ts';
import type * as documents from './documents.generated.ts';
import { problemFields } from './sent-texts.ts';
import { followKnown, followTask } from './follow-generation.ts';
import { type GenerationFields, generationFields, type GenerationView } from './generation-view.ts';
import type { Request } from './request.ts';
import type { ViewSink } from './views.ts';

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

export interface GenerateRequest<Field extends GenerateField> {
  readonly field: Field;
  readonly input: GenerateInputs[Field];
  readonly request: Request;
}

export function createGeneration<Field extends GenerateField>(
  client: Client,
  { field, input, request }: GenerateRequest<Field>,
): GenerationRun {
  const { key: idempotencyKey, collection } = request;
  return createRun({
    client,
    request,
    operation: { query: generateText(field), variables: { input, idempotencyKey, collection } },
    fail: (error): GenerationView => ({ ...emptyGeneration, error, isEnded: true }),
    follow(created: GenerationFields | { readonly id: string }, sink) {
      const settling: ViewSink<GenerationView> = {
        push: sink.push,
        end(view) {
          request.settle(view.error);
          sink.end(view);
        },
      };
      return 'status' in created
        ? followTask(client, created, settling)
        : followKnown(client, created.id, settling);
    },
  });
}
