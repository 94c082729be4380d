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
    10_000_000,
    'the stream has more than 134217728 characters',
  ],
  [
    'one image',
    'image_generation.partial_succeeded',
    17_000_000,
    'one event has more than 16777216 characters',
  ],
])(
  'an image stream whose %s exceed the limits is stopped, says so, may be paid again, and keeps its images',
  async (_name, type, chars, limit) => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const watching = collect(subscribe(app.wsClient(), StreamImagesDocument, { input, idempotencyKey: 'k' }));
    const exchange = await gateway.exchange(0);
    let isClosed = false;
    void exchange.closed.then(() => (isClosed = true));
    const image = { type: 'image_generation.partial_succeeded', image_index: 0, b64_json: 'QUJD' };
    exchange.send(image);
    const large = { type, image_index: 1, b64_json: 'A'.repeat(chars) };
    for (let count = 0; !isClosed && count < 20; count += 1) {
      exchange.send(large);
      // One at a time, as from a gateway elsewhere.
      await Promise.race([exchange.closed, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
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
