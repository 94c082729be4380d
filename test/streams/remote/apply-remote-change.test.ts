import { expect, test } from 'vitest';
import { chatKind } from '../../../src/capabilities/chat/chat-kind.ts';
import { generationTopic } from '../../../src/generations/publish-changes.ts';
import { applyRemoteChange } from '../../../src/streams/remote/apply-remote-change.ts';
import { Streams } from '../../../src/streams/streams.ts';
import { buildGeneration, owner } from '../../store/support.ts';
import { createManualClock } from '../../support/manual-clock.ts';

test('the log of a finished stream is removed when another server has deleted its record, and only then', async () => {
  const generation = buildGeneration();
  const streams = new Streams({ clock: createManualClock(), logMs: 60_000 });
  const stream = streams.open(chatKind.shape, generation.id);
  const apply = (found: typeof generation | undefined) =>
    applyRemoteChange(
      { streams, store: { findSummaries: async () => [found] } },
      generationTopic(owner),
      generation.id,
    );
  await apply(undefined);
  expect(streams.findAny(generation.id)).toBe(stream);
  await stream.finish(async () => 'over');
  await stream.ended;
  await apply(generation);
  expect(streams.findAny(generation.id)).toBe(stream);
  await apply(undefined);
  expect(streams.findAny(generation.id)).toBeUndefined();
});
