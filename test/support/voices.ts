import type { ExecutionResult } from 'graphql';
import { expect } from 'vitest';
import { VoicesDocument, type VoicesQuery } from '../../src/client/documents.generated.ts';
import type { TestApp } from './app.ts';

/** All voice ids by the pages of a client, which stops after `maxPages` pages. */
export async function readAllVoices(app: TestApp, first: number, maxPages = 60): Promise<readonly string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const { data, errors }: ExecutionResult<VoicesQuery> = await app.run(VoicesDocument, { first, after });
    expect(errors).toBeUndefined();
    ids.push(...(data?.voices?.edges.map(({ node }) => node.voiceId) ?? []));
    if (!data?.voices?.pageInfo.hasNextPage) return ids;
    after = data.voices.pageInfo.endCursor ?? null;
  }
  throw new Error('the list has no end');
}
