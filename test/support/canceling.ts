import { expect } from 'vitest';
import type { Caller, TestApp } from './app.ts';

export interface GenerationView {
  readonly __typename: 'Generation';
  readonly id: string;
  readonly status: string;
  readonly isTerminal: boolean;
  readonly isCancelable: boolean;
  readonly finishedAt: string | null;
  readonly task: { readonly id: string; readonly status: string; readonly upstreamId: string } | null;
}

interface Failure {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
  readonly generation: { readonly id: string } | null;
}

type Result = GenerationView | Failure;

const selection = `
  __typename
  ... on Generation { id status isTerminal isCancelable finishedAt }
  ... on GengraphError { code message generation { id } }
  ... on GatewayError { httpStatus }`;

const image = 'https://example.com/a.png';
/** Creates of every cancelable kind, and of one that is not. */
const creates = {
  ANIMATION: {
    field: 'createAnimation',
    type: 'CreateAnimationInput',
    input: { modelVersion: 'v', promptStart: 'a', promptEnd: 'b' },
  },
  IMAGE_FILL: {
    field: 'fillImage',
    type: 'FillImageInput',
    input: { modelOwner: 'o', modelName: 'm', image, mask: image, prompt: 'a' },
  },
  QUEUED_IMAGE: { field: 'queueImage', type: 'QueueImageInput', input: { prompt: 'a' } },
  QUEUED_INPAINTING: {
    field: 'queueInpainting',
    type: 'QueueInpaintingInput',
    input: { prompt: 'a', image, mask: image },
  },
  SONG: { field: 'createSong', type: 'CreateSongInput', input: { description: 'a', model: 'SONG_V5' } },
} as const;
export type Kind = keyof typeof creates;

export async function create(app: TestApp, kind: Kind, idempotencyKey?: string): Promise<GenerationView> {
  const { field, type, input } = creates[kind];
  const { data, errors } = await app.run<Record<string, Result>, object>(
    `mutation ($input: ${type}!, $key: ID) { ${field}(input: $input, idempotencyKey: $key) { ${selection} ... on Generation { task { id } } } }`,
    { input, ...(idempotencyKey !== undefined && { key: idempotencyKey }) },
  );
  const made = data?.[field];
  if (made?.__typename !== 'Generation') throw new Error(JSON.stringify({ data, errors }));
  return made as GenerationView; // Checked by its type name.
}

/** Every error of a cancel has its generation, except for `NotFoundError`. */
export async function cancel(
  app: TestApp,
  by: { readonly id: string } | { readonly idempotencyKey: string },
  caller?: Caller,
): Promise<Result | undefined> {
  const { data, errors } = await app.run<{ cancelGeneration: Result }, object>(
    `mutation ($by: GenerationSelector!) { cancelGeneration(by: $by) { ${selection} } }`,
    { by },
    caller,
  );
  expect(errors).toBeUndefined();
  const result = data?.cancelGeneration;
  if (result && 'code' in result && 'id' in by)
    expect(result.generation).toEqual(result.code === 'NOT_FOUND' ? null : { id: by.id });
  return result;
}

export async function readGeneration(app: TestApp, id: string): Promise<GenerationView | undefined> {
  const { data } = await app.run<{ generation: GenerationView }, object>(
    `query ($id: ID!) { generation(by: { id: $id }) { ${selection.split('... on Gengraph')[0]} } }`,
    { id },
  );
  return data?.generation;
}

export const cancelable = ['ANIMATION', 'IMAGE_FILL', 'QUEUED_IMAGE', 'QUEUED_INPAINTING'] as const;
