import { expect } from 'vitest';
import {
  CreateImageDocument,
  type CreateImageInput,
  type ImageByResolutionInput,
  type ImageByCountInput,
} from '../../src/client/documents.generated.ts';
import type { TestApp } from './app.ts';

export const plainByResolution: ImageByResolutionInput = { model: 'seedream-4', prompt: 'a fox' };
export const plainByCount: ImageByCountInput = { prompt: 'a fox' };
/** A minimal reply of the gateway. */
export const reply = { created: 1_763_654_400, data: [{ url: 'http://x/1.jpg' }] };

const everything = /* GraphQL */ `
  mutation ($input: CreateImageInput!, $key: ID) {
    createImage(input: $input, idempotencyKey: $key, collection: "g") {
      __typename
      ... on Generation {
        id
        kind
        status
        model
        prompt
        collection
        isTerminal
        finishedAt
        task {
          id
        }
        input
        raw
        output {
          __typename
          ... on ImageSet {
            createdAt
            request
            images {
              url
              base64
              expiresAt
              width
              height
              contentType
              isNsfw
              revisedPrompt
              contentFilterResults {
                hate {
                  ...V
                }
                selfHarm {
                  ...V
                }
                sexual {
                  ...V
                }
                violence {
                  ...V
                }
              }
              promptFilterResults {
                hate {
                  ...V
                }
                selfHarm {
                  ...V
                }
                sexual {
                  ...V
                }
                violence {
                  ...V
                }
                profanity {
                  isDetected
                  isFiltered
                }
              }
            }
          }
        }
        assets {
          kind
          url
          base64
          contentType
          width
          height
          expiresAt
        }
        usage {
          promptTokens
          completionTokens
          totalTokens
          outputTokens
          promptTokensDetails
          completionTokensDetails
        }
        error {
          code
          message
          upstreamCode
        }
      }
      ... on GengraphError {
        code
        message
      }
    }
  }
  fragment V on ImageFilterVerdict {
    isFiltered
    severity
  }
`;

interface Made {
  readonly __typename: string;
  readonly [member: string]: unknown;
}

/** Creates images and returns every field of the result. */
export async function make(app: TestApp, input: CreateImageInput, key?: string): Promise<Made | undefined> {
  const { data, errors } = await app.run<{ readonly createImage: Made }, object>(everything, { input, key });
  expect(errors).toBeUndefined();
  return data?.createImage;
}

/** Paths of all issues of a rejected input, relative to `input`. */
export async function issuesOf(app: TestApp, input: CreateImageInput): Promise<readonly string[]> {
  const { data, errors } = await app.run(CreateImageDocument, { input });
  expect(errors).toBeUndefined();
  if (data?.createImage?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(data));
  return data.createImage.issues.map(({ path }) => path.slice(1).join('.'));
}
