import type { Client } from 'graphql-ws';
import { cancel } from './cancel.ts';
import type * as documents from './documents.generated.ts';
import { type Outcome, run, watch } from './operate.ts';
import { type GengraphProblem, toProblem } from './problem.ts';
import type { RequestKeys } from './request-keys.ts';
import { type CreateOptions, type Request, toRequest } from './request.ts';
import { createViews, type ViewSink } from './views.ts';

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

export interface GenerationRun extends AsyncIterable<GenerationView> {
  /** Idempotency key of the request. */
  readonly key: string;
  /** Cancels the generation at the gateway, where the gateway can. @returns what was kept */
  stop(): Promise<GenerationView>;
}

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

type CreateResult =
  | (GenerationFields & { readonly task: { readonly id: string } | null })
  | (GengraphProblem & { readonly __typename: string });

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

export interface GenerateParts {
  readonly client: Client;
  readonly keys: RequestKeys;
}

/** Nothing is sent before the first loop begins. */
export function createGeneration<Field extends GenerateField>(
  { client, keys }: GenerateParts,
  field: Field,
  { input, ...options }: CreateOptions & { readonly input: GenerateInputs[Field] },
): GenerationRun {
  const request = toRequest(keys, { operation: field, input, ...options });
  let starting: Promise<Outcome<CreateResult>> | undefined;
  const start = (): Promise<Outcome<CreateResult>> => {
    const { key: idempotencyKey, collection } = request;
    starting ??= run<CreateResult>(client, {
      query: createText(field),
      variables: { input, idempotencyKey, collection },
    });
    return starting;
  };
  const generation: GenerationRun = {
    key: request.key,
    [Symbol.asyncIterator]: () =>
      createViews<GenerationView>((sink) => {
        let stopWatching = (): void => {};
        let isLeft = false;
        void start().then((created) => {
          if (problemOf(created)) starting = undefined;
          if (!isLeft) stopWatching = followTask(client, created, { sink, request });
        });
        return () => {
          isLeft = true;
          stopWatching();
        };
      }, options.signal),
    async stop() {
      const { problem, value } = await cancel(client, { idempotencyKey: request.key });
      const created = value ?? (await starting)?.value;
      if (created === undefined || !('id' in created))
        return { ...emptyGeneration, error: problem ?? toProblem(undefined), isEnded: true };
      if (!value) await cancel(client, { id: created.id });
      let last = emptyGeneration;
      for await (const view of generation) last = view;
      return last;
    },
  };
  return generation;
}

function problemOf({ problem, value }: Outcome<CreateResult>): GengraphProblem | undefined {
  return problem ?? (value && 'code' in value ? value : undefined);
}

interface FollowOptions {
  readonly sink: ViewSink<GenerationView>;
  readonly request: Request;
}

function followTask(
  client: Client,
  created: Outcome<CreateResult>,
  { sink, request }: FollowOptions,
): () => void {
  let view = emptyGeneration;
  const show = (next: Partial<GenerationView>): void => {
    view = { ...view, ...next };
    if (view.isEnded) request.settle(view.error);
    sink.push(view);
    if (view.isEnded) sink.end();
  };
  const fail = (error: GengraphProblem): void => show({ error, isEnded: true });
  const { value } = created;
  if (!value || 'code' in value) {
    fail(problemOf(created) ?? toProblem(undefined));
    return () => {};
  }
  const { task } = value;
  show({ ...toView(value), isEnded: value.isTerminal || !task });
  if (view.isEnded || !task) return () => {};
  return watch<TaskFields>({
    client,
    operation: { query: taskText, variables: { id: task.id } },
    apply({ progress, queuePosition, isTerminal, generation }) {
      const isNew = generation.status !== view.status || progress !== view.progress;
      show({ ...toView(generation), progress, queuePosition, isEnded: isTerminal });
      if (isTerminal) return 'end';
      return isNew ? 'new' : 'known';
    },
    fail,
  });
}

function toView({ id, status, assets, error }: GenerationFields): Partial<GenerationView> {
  return { id, status, assets, error };
}
