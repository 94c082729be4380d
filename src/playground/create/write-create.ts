import type { GenerateField } from '@gengraph/client';
import type { Sample } from '../show-me/samples.ts';
import { inputTypeOf } from './families.ts';

/** The operation that a form sends. */
export function writeCreate(field: GenerateField, input: unknown, idempotencyKey: string): Sample {
  const query = `mutation Create($input: ${inputTypeOf(field)}!, $idempotencyKey: ID) {
  ${field}(input: $input, idempotencyKey: $idempotencyKey) {
    __typename
    ... on Generation {
      id
      status
      assets { kind role url }
      task { id progress }
    }
    ... on GengraphError { code message retry }
    ... on InvalidInputError { issues { path message limit received } }
  }
}`;
  const kit = `const { create, generation, fieldErrors } = useCreate('${field}');

create(${JSON.stringify(input, null, 2)});

generation?.progress; // from 0 to 1
generation?.assets;`;
  return { query, variables: { input, idempotencyKey }, kit };
}
