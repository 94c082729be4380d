import type { Client } from 'graphql-ws';
import type { ClientParts } from './chat.ts';
import { type CreateRun, createRun } from './create-run.ts';
import type * as documents from './documents.generated.ts';
import { watch } from './operate.ts';
import type { GengraphProblem } from './problem.ts';
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

export interface GeneratedAsset {
  readonly kind: documents.AssetKind;
  /** Such as PRIMARY or COVER. */
  readonly role: string;
  readonly url: string | null;
  readonly base64: string | null;
  readonly contentType: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
  readonly expiresAt: string | null;
}

/** The complete state of a generation. */
export interface GenerationView {
  /** Null until it is known, and if the create was refused. */
  readonly id: string | null;
  readonly status: documents.TaskStatus | 'STARTING';
  /** From 0 to 1. Null if the gateway reports none. */
  readonly progress: number | null;
  readonly queuePosition: number | null;
  readonly assets: readonly GeneratedAsset[];
  readonly error: GengraphProblem | null;
  readonly isEnded: boolean;
}

export type GenerationRun = CreateRun<GenerationView>;

interface GenerationFields {
  readonly __typename: 'Generation';
  readonly id: string;
  readonly status: documents.TaskStatus;
  readonly isTerminal: boolean;
  readonly assets: readonly GeneratedAsset[];
  readonly error: GengraphProblem | null;
}

interface TaskFields {
  readonly progress: number | null;
  readonly queuePosition: number | null;
  readonly isTerminal: boolean;
  readonly generation: GenerationFields;
}

type Created = GenerationFields & { readonly task: { readonly id: string } | null };

const emptyGeneration: GenerationView = {
  id: null,
  status: 'STARTING',
  progress: null,
  queuePosition: null,
  assets: [],
  error: null,
  isEnded: false,
};

const fields =
  '__typename id status isTerminal assets{kind role url base64 contentType width height durationSeconds expiresAt}error{code message retry retryAfterSeconds}';
const errorFields =
  '...on GengraphError{code message retry retryAfterSeconds}...on InvalidInputError{issues{path message limit received}}';
export const taskText = `subscription TaskOf($id:ID!){taskProgress(id:$id){progress queuePosition isTerminal generation{${fields}}}}`;

export function createText(field: GenerateField): string {
  const [first = ''] = field;
  const type = `${first.toUpperCase()}${field.slice(1)}Input`;
  return `mutation Create($input:${type}!$idempotencyKey:ID$collection:ID){${field}(input:$input idempotencyKey:$idempotencyKey collection:$collection){__typename ...on Generation{${fields} task{id}}${errorFields}}}`;
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
    follow: (created: Created, sink) =>
      followTask(client, created, {
        push: sink.push,
        end(view) {
          request.settle(view.error);
          sink.end(view);
        },
      }),
  });
}

function followTask(client: Client, created: Created, sink: ViewSink<GenerationView>): () => void {
  const { task } = created;
  let view = { ...emptyGeneration, ...toView(created), isEnded: created.isTerminal || !task };
  if (view.isEnded || !task) {
    sink.end(view);
    return () => {};
  }
  sink.push(view);
  return watch<TaskFields>({
    client,
    operation: { query: taskText, variables: { id: task.id } },
    apply({ progress, queuePosition, isTerminal, generation }) {
      const isNew = generation.status !== view.status || progress !== view.progress;
      view = { ...view, ...toView(generation), progress, queuePosition, isEnded: isTerminal };
      if (isTerminal) {
        sink.end(view);
        return 'end';
      }
      sink.push(view);
      return isNew ? 'new' : 'known';
    },
    fail: (error) => sink.end({ ...view, error, isEnded: true }),
  });
}

function toView({ id, status, assets, error }: GenerationFields) {
  return { id, status, assets, error };
}
