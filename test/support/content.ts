import { expect } from 'vitest';
import type { GenerateContentInput } from '../../src/client/documents.generated.ts';
import type { TestApp } from './app.ts';

export const plain: GenerateContentInput = {
  model: 'gemini-2.5-flash',
  contents: [{ parts: [{ text: 'Hello' }] }],
};
export const reply = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
};
/** Base64 text that is long enough to count as media. */
export const base64 = Buffer.alloc(3000, 'image').toString('base64');

export const everything = /* GraphQL */ `
  mutation ($input: GenerateContentInput!, $key: ID) {
    generateContent(input: $input, idempotencyKey: $key) {
      __typename
      ... on Generation {
        id
        kind
        status
        model
        prompt
        isTerminal
        task {
          id
        }
        input
        raw
        output {
          __typename
          ... on ContentResponse {
            text
            modelVersion
            responseId
            candidates {
              index
              finishReason
              finishMessage
              groundingMetadata
              safetyRatings
              content {
                role
                parts {
                  text
                  isThought
                  inlineData {
                    mimeType
                    data
                  }
                  asset {
                    kind
                    contentType
                    base64
                  }
                }
              }
              urlContextMetadata {
                urlMetadata {
                  retrievedUrl
                  urlRetrievalStatus
                }
              }
            }
            promptFeedback {
              blockReason
              blockReasonMessage
              safetyRatings
            }
          }
        }
        assets {
          kind
          contentType
          base64
          url
        }
        usage {
          promptTokens
          completionTokens
          totalTokens
          reasoningTokens
          cachedTokens
          outputTokens
          promptTokensDetails
          completionTokensDetails
          raw
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
`;

interface Made {
  readonly __typename: string;
  readonly [member: string]: unknown;
}

/** Creates content and returns every field of the result. */
export async function make(
  app: TestApp,
  input: GenerateContentInput,
  key?: string,
): Promise<Made | undefined> {
  const { data, errors } = await app.run<{ readonly generateContent: Made }, object>(everything, {
    input,
    key,
  });
  expect(errors).toBeUndefined();
  return data?.generateContent;
}
