import type { Client } from 'graphql-ws';
import type { CancelGenerationMutation, CancelGenerationMutationVariables } from './documents.generated.ts';
import { type Outcome, run } from './operate.ts';
import { cancelGenerationText } from './texts.generated.ts';

type CancelResult = NonNullable<CancelGenerationMutation['cancelGeneration']>;
export type StoppedGeneration = Extract<CancelResult, { __typename: 'Generation' }>;

/** Stops a generation at the gateway. One that has ended is returned as it is. */
export async function cancel(
  client: Client,
  by: CancelGenerationMutationVariables['by'],
): Promise<Outcome<StoppedGeneration>> {
  const { problem, value } = await run<CancelResult>(client, {
    query: cancelGenerationText,
    variables: { by },
  });
  if (problem) return { problem };
  return value.__typename === 'Generation' ? { value } : { problem: value };
}
