import type { Outcome } from '@gengraph/client';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useCallback, useEffect, useState } from 'react';
import { run } from './gengraph.ts';

/** What a function has resolved with, called again for each new reason. Undefined until its first value. */
export function useLatest<Value>(load: () => Promise<Value>, reasons: readonly unknown[]): Value | undefined {
  const [latest, setLatest] = useState<Value>();
  useEffect(() => {
    let isLeft = false;
    void load().then((loaded) => isLeft || setLatest(loaded));
    return () => void (isLeft = true);
  }, reasons);
  return latest;
}

/** A number, and a function that raises it: a reason to try again. */
export function useAttempts() {
  const [attempts, setAttempts] = useState(0);
  return [attempts, useCallback(() => setAttempts((old) => old + 1), [])] as const;
}

/** What a query returns, read again when its variables or `version` change, or by `retry`. Without value and problem until it is read. */
export function useRead<Result, Variables extends Readonly<Record<string, unknown>>>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
  version: unknown = 0,
): Partial<Outcome<Result[keyof Result]>> & { readonly retry: () => void } {
  const [attempts, retry] = useAttempts();
  const reasons = [document, JSON.stringify(variables), version, attempts];
  return { ...useLatest(() => run(document, variables), reasons), retry };
}
