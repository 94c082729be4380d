import type { GengraphProblem, Outcome } from '@gengraph/client';
import { useEffect, useState } from 'react';
import { run } from './gengraph.ts';
import type { TypedQuery } from './show-me/query-of.ts';

export interface Read<Value> {
  /** Undefined until it is read. */
  readonly value: Value | undefined;
  readonly problem: GengraphProblem | undefined;
}

/** What a query returns, read again when its variables or `version` change. */
export function useRead<Result, Variables extends Readonly<Record<string, unknown>>>(
  query: TypedQuery<Result, Variables>,
  variables: Variables,
  version: unknown = 0,
): Read<Result[keyof Result]> {
  const [read, setRead] = useState<Outcome<Result[keyof Result]>>();
  const key = JSON.stringify(variables);
  useEffect(() => {
    let isLeft = false;
    // The key has the same content.
    void (async () => {
      const next = await run(query, JSON.parse(key) as Variables);
      if (!isLeft) setRead(next);
    })();
    return () => {
      isLeft = true;
    };
  }, [query, key, version]);
  return { value: read?.value, problem: read?.problem };
}
