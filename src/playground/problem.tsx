import type { GengraphProblem } from '@gengraph/client';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { signOut } from './gengraph.ts';

const advice: Readonly<Record<GengraphProblem['retry'], string>> = {
  SAFE: 'This try was not charged. Try again.',
  LATER: 'This try was not charged. Try again a little later.',
  SAME_KEY: 'The outcome is not known yet. Try again: the same request is never charged twice.',
  MAY_CHARGE_AGAIN: 'It may have been charged. Another try may be charged again.',
  FIX_INPUT: 'This try was not charged. Change the input.',
  NEW_KEY: 'This try was not charged. Start it as a new request.',
  AUTHENTICATE: 'Sign in again.',
  ADD_QUOTA: 'This try was not charged. The quota is used up. Add some, then try again.',
  NEVER: 'Trying again does not help.',
};

/** What has gone wrong, told to screen readers at once. */
export function Notice({ children }: { readonly children: ReactNode }) {
  return <div className="notice" role="alert" children={children} />;
}

/** An error with what to do about it. */
export function Problem({ problem, onRetry }: { problem: GengraphProblem; onRetry?: () => void }) {
  const { code, message, retry, retryAfterSeconds } = problem;
  const label = retry === 'MAY_CHARGE_AGAIN' ? 'Try again, and pay again if need be' : 'Try again';
  const canRetry = onRetry && !['AUTHENTICATE', 'NEVER', 'FIX_INPUT'].includes(retry);
  return (
    <Notice>
      <p>
        <strong>{message}</strong> <code>{code}</code>
      </p>
      <p>
        {advice[retry]}
        {retryAfterSeconds !== null && ` In ${Math.ceil(retryAfterSeconds)} s.`}
      </p>
      {retry === 'AUTHENTICATE' && <button onClick={signOut}>Sign in again</button>}
      {canRetry && <button onClick={onRetry} children={label} />}
    </Notice>
  );
}

type Refusal = GengraphProblem | string | undefined;

/** A button, and below it why the last press did nothing, which is what `act` resolves with. */
export function Act({ act, ...button }: { act: () => Promise<Refusal> } & ComponentProps<'button'>) {
  const [refusal, setRefusal] = useState<Refusal>();
  return (
    <>
      <button {...button} onClick={() => void act().then(setRefusal)} />
      {typeof refusal === 'string' ? <Notice>{refusal}</Notice> : refusal && <Problem problem={refusal} />}
    </>
  );
}
