import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { createDocumentCache } from '../../../src/server/operation/document-cache.ts';
import { heldBytes } from '../../support/held-bytes.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';

const minuteMs = 60_000;
/** The cache does not expire what was added at time 0. */
function startClock(): ManualClock {
  const clock = createManualClock();
  clock.advance(minuteMs);
  return clock;
}

/** About 100 bytes of memory per character. */
const toSource = (id: string): string =>
  `subscription { chatEvents(id: "${id}") { sequence soFar { choices { message { content } } } } }`;

test('documents that nobody uses for five minutes leave memory, although they fit in the cache', async () => {
  const clock = startClock();
  const cache = createDocumentCache(clock);
  const use = (source: string): void => {
    if (!cache.find(source)) cache.add(source, parse(source));
  };
  const useMany = (round: number): void => {
    for (let index = 0; index < 1000; index += 1) use(toSource(`${round}-${index}`));
  };
  useMany(0);
  const before = await heldBytes();
  for (let round = 1; round <= 3; round += 1) {
    clock.advance(6 * minuteMs);
    useMany(round);
  }
  expect((await heldBytes()) - before).toBeLessThan(2_000_000);
});

test('a document that is used at least every five minutes stays in the cache', () => {
  const clock = startClock();
  const cache = createDocumentCache(clock);
  const document = parse('{ __typename }');
  cache.add('{ __typename }', document);
  for (let count = 0; count < 5; count += 1) {
    clock.advance(4 * minuteMs);
    expect(cache.find('{ __typename }')).toBe(document);
  }
  clock.advance(6 * minuteMs);
  expect(cache.find('{ __typename }')).toBeUndefined();
});
