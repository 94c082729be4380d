import { expect, test } from 'vitest';
import {
  type ImageByResolutionInput,
  StreamImagesDocument,
} from '../../../src/client/documents.generated.ts';
import { collect, subscribe } from '../../support/app.ts';
import { plainByResolution } from '../../support/images.ts';
import { startScripted } from '../../support/scripted-gateway.ts';

const input: ImageByResolutionInput = { ...plainByResolution, delivery: 'BASE64' };

const recordQuery = `query ($id: ID!) {
  generation(by: { id: $id }) { status error { code message retry } assets { base64 } }
}`;

test.each([
  [
    'many previews',
    'image_generation.partial_image',
    { chars: 10_000_000, count: 14 },
    'the stream has more than 134217728 characters',
  ],
  [
    'one image',
    'image_generation.partial_succeeded',
    { chars: 17_000_000, count: 1 },
    'one event has more than 16777216 characters',
  ],
])(
  'an image stream whose %s exceed the limits is stopped, says so, may be paid again, and keeps its images',
  async (_name, type, { chars, count }, limit) => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const watching = collect(subscribe(app.wsClient(), StreamImagesDocument, { input, idempotencyKey: 'k' }));
    const exchange = await gateway.exchange(0);
    const image = { type: 'image_generation.partial_succeeded', image_index: 0, b64_json: 'QUJD' };
    exchange.send(image);
    // Encoded once: one buffer can be written many times without a copy.
    const large = JSON.stringify({ type, image_index: 1, b64_json: 'A'.repeat(chars) });
    const event = Buffer.from(`data: ${large}\n\n`);
    for (let index = 0; index < count; index += 1) exchange.write(event);
    await exchange.closed;
    const last = (await watching).at(-1)?.data?.streamImages;
    const error = { code: 'GATEWAY_ERROR', message: `The gateway's stream could not be read: ${limit}.` };
    expect(last).toMatchObject({ __typename: 'ImageFailed', error });
    const { data } = await app.run<{ readonly generation: unknown }, object>(recordQuery, {
      id: last?.generationId,
    });
    expect(data?.generation).toEqual({
      status: 'FAILED',
      error: { ...error, retry: 'MAY_CHARGE_AGAIN' },
      assets: [{ base64: 'QUJD' }],
    });
    expect(gateway.requests).toHaveLength(1);
  },
  30_000,
);

test('an image stream with more images than any request asks for is stopped, and keeps them', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const watching = collect(subscribe(app.wsClient(), StreamImagesDocument, { input, idempotencyKey: 'k' }));
  const exchange = await gateway.exchange(0);
  const send = (count: number) => exchange.send({ data: Array.from({ length: count }, () => 'http://x/1') });
  send(1000);
  send(1);
  await exchange.closed;
  const last = (await watching).at(-1)?.data?.streamImages;
  const message = 'The reply has more than 1000 images, so the stream was stopped.';
  expect(last).toMatchObject({ __typename: 'ImageFailed', error: { code: 'GATEWAY_ERROR', message } });
  expect(last?.soFar.images).toHaveLength(1001);
});
