import { expect, test } from 'vitest';
import { startScripted } from '../../support/scripted-gateway.ts';
import { createInbox } from '../../support/inbox.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import type { TestApp } from '../../support/app.ts';

interface ImageEvent {
  readonly __typename: string;
  readonly generationId: string;
  readonly sequence: number;
}

function watch(app: TestApp, field: string) {
  const inbox = createInbox<ImageEvent>();
  const query = `subscription {
    ${field} { __typename generationId sequence ... on ImageDelta { fromSequence images { index } } }
  }`;
  const read = async (): Promise<void> => {
    for await (const { data } of app.wsClient().iterate<Record<string, ImageEvent>>({ query }))
      for (const event of Object.values(data ?? {})) inbox.push(event);
  };
  return { inbox, ended: read() };
}

const image = (index: number): object => ({
  type: 'image_generation.partial_succeeded',
  image_index: index,
  url: `http://x/${index}.jpg`,
});

test('streamImages and imageEvents merge the images of one interval', async () => {
  const clock = createManualClock();
  await using scripted = await startScripted({ overrides: { clock } });
  const { app, gateway } = scripted;
  const input = '{ model: "seedream-4", prompt: "foxes" }';
  const created = watch(app, `streamImages(input: ${input}, idempotencyKey: "k", minIntervalMs: 700)`);
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { generationId } = await created.inbox.at(0);
  const followed = watch(app, `imageEvents(id: "${generationId}", minIntervalMs: 800)`);
  const unpaced = watch(app, `imageEvents(id: "${generationId}")`);
  await Promise.all([followed.inbox.at(0), unpaced.inbox.at(0)]);
  for (const index of [0, 1]) {
    exchange.send(image(index));
    await unpaced.inbox.at(index + 1);
  }
  await Promise.all([clock.waitForTimer(700), clock.waitForTimer(800)]);
  clock.advance(700);
  await created.inbox.at(1);
  exchange.send(image(2), { type: 'image_generation.completed' });
  await Promise.all([created.ended, followed.ended, unpaced.ended]);
  const delta = (fromSequence: number, sequence: number) => ({
    __typename: 'ImageDelta',
    fromSequence,
    sequence,
  });
  expect(created.inbox.all.slice(1)).toMatchObject([
    delta(1, 2),
    delta(3, 3),
    { __typename: 'ImageCompleted' },
  ]);
  expect(followed.inbox.all.slice(1)).toMatchObject([delta(1, 3), { __typename: 'ImageCompleted' }]);
  expect(unpaced.inbox.all.slice(1).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 3]);
});
