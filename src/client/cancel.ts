import type { Client } from 'graphql-ws';
import type { CancelGenerationMutation, CancelGenerationMutationVariables } from './documents.generated.ts';
import { type Outcome, run } from './operate.ts';
import { type GengraphProblem, toProblem } from './problem.ts';
import { cancelText } from './sent-texts.ts';

type CancelResult = NonNullable<CancelGenerationMutation['cancelGeneration']>;
export type StoppedGeneration = Extract<CancelResult, { __typename: 'Generation' }>;

/** Stops a generation at the gateway. One that has ended is returned as it is. */
export async function cancel(
  client: Client,
  by: CancelGenerationMutationVariables['by'],
): Promise<Outcome<StoppedGeneration>> {
  const { problem, value } = await run<StoppedGeneration | GengraphProblem | null>(client, {
    query: cancelText,
    variables: { by },
  });
  if (problem) return { problem };
  // A router may send null.
  return value && !('code' in value) ? { value } : { problem: value ?? toProblem(undefined) };
}
