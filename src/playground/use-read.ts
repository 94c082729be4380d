import type { Outcome } from '@gengraph/client';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useEffect, useState } from 'react';
import { run } from './gengraph.ts';

/** What a query returns, read again when its variables or `version` change. Without members until it is read. */
export function useRead<Result, Variables extends Readonly<Record<string, unknown>>>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
  version: unknown = 0,
): Partial<Outcome<Result[keyof Result]>> {
  const [read, setRead] = useState<Outcome<Result[keyof Result]>>();
  useEffect(() => {
    let isLeft = false;
    void run(document, variables).then((outcome) => {
      if (!isLeft) setRead(outcome);
    });
    return () => {
      isLeft = true;
    };
  }, [document, JSON.stringify(variables), version]);
  return read ?? {};
}
