import type { GengraphProblem } from '@gengraph/client';
import { signOut } from './gengraph.ts';

const advice: Readonly<Record<GengraphProblem['retry'], string>> = {
  SAFE: 'Nothing was charged. Try again.',
  LATER: 'Nothing was charged. Try again a little later.',
  SAME_KEY: 'The outcome is not known yet. Try again: the same request is never charged twice.',
  MAY_CHARGE_AGAIN: 'It may have been charged. Another try may be charged again.',
  FIX_INPUT: 'Nothing was sent. Change the input.',
  NEW_KEY: 'Start it as a new request.',
  AUTHENTICATE: 'Sign in again.',
  ADD_QUOTA: 'The quota is used up. Add some, then try again.',
  NEVER: 'Trying again does not help.',
};

/** Whether the same request, with its key, can be sent again: it is never paid for twice. Any other try is a new request. */
export function isRepeatable(problem: GengraphProblem | null): boolean {
  const retry = problem?.retry;
  return retry === 'SAFE' || retry === 'LATER' || retry === 'SAME_KEY';
}

/** An error with what to do about it. */
export function Problem({
  problem,
  onRetry,
}: {
  readonly problem: GengraphProblem;
  readonly onRetry?: () => void;
}) {
  const seconds = problem.retryAfterSeconds;
  return (
    <div className="notice" role="alert">
      <p>
        <strong>{problem.message}</strong> <code>{problem.code}</code>
      </p>
      <p>
        {advice[problem.retry]}
        {seconds !== null && ` In ${Math.ceil(seconds)} s.`}
      </p>
      {problem.retry === 'AUTHENTICATE' && (
        <button type="button" onClick={signOut}>
          Sign in again
        </button>
      )}
      {onRetry &&
        problem.retry !== 'AUTHENTICATE' &&
        problem.retry !== 'NEVER' &&
        problem.retry !== 'FIX_INPUT' && (
          <button type="button" onClick={onRetry}>
            {problem.retry === 'MAY_CHARGE_AGAIN' ? 'Try again, and pay again if need be' : 'Try again'}
          </button>
        )}
    </div>
  );
}
