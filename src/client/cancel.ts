import type { Client } from 'graphql-ws';
import type { CancelGenerationMutation, CancelGenerationMutationVariables } from './documents.generated.ts';
import { runNonNull, type Outcome } from './operate.ts';
import { cancelText } from './sent-texts.ts';

type CancelResult = NonNullable<CancelGenerationMutation['cancelGeneration']>;
export type StoppedGeneration = Extract<CancelResult, { __typename: 'Generation' }>;

/** Stops a generation at the gateway. One that has ended is returned as it is. */
export function cancel(
  client: Client,
  by: CancelGenerationMutationVariables['by'],
): Promise<Outcome<StoppedGeneration>> {
  return runNonNull(client, { query: cancelText, variables: { by } });
}
