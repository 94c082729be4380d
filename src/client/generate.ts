import type { ClientParts } from './chat.ts';
import { type CreateRun, createRun } from './create-run.ts';
import type * as documents from './documents.generated.ts';
import { followKnown, followTask } from './follow-generation.ts';
import {
  emptyGeneration,
  type GenerationFields,
  generationFields,
  type GenerationView,
} from './generation-view.ts';
import { type CreateOptions, toRequest } from './request.ts';
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

const errorFields =
  '...on GengraphError{code message retry retryAfterSeconds}...on InvalidInputError{issues{path message limit received}}';

export function createText(field: GenerateField): string {
  const [first = ''] = field;
  const type = `${first.toUpperCase()}${field.slice(1)}Input`;
  return `mutation Create($input:${type}!$idempotencyKey:ID$collection:ID){${field}(input:$input idempotencyKey:$idempotencyKey collection:$collection){__typename ...on Generation{${generationFields}}${errorFields}}}`;
}

export function createGeneration<Field extends GenerateField>(
  { client, keys }: ClientParts,
  field: Field,
  { input, ...options }: CreateOptions & { readonly input: GenerateInputs[Field] },
): GenerationRun {
  const request = toRequest(keys, { operation: field, input, ...options });
  const { key: idempotencyKey, collection } = request;
  return createRun({
    client,
    request,
    operation: { query: createText(field), variables: { input, idempotencyKey, collection } },
    signal: options.signal,
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
