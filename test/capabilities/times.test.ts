import { expect, test } from 'vitest';
import { StreamImagesDocument } from '../../src/client/documents.generated.ts';
import { collect, startApp, subscribe } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { plainByResolution } from '../support/images.ts';

/** Every family whose task record holds a time. */
const kinds = [
  'SONG',
  'SONG_COVER',
  'SPEECH',
  'VIDEO',
  'REFERENCE_VIDEO',
  'TRANSITION_VIDEO',
  'MULTI_IMAGE_VIDEO',
  'LIP_SYNC',
  'ANIMATION',
  'IMAGE_FILL',
];
const pathless = ['SPEECH', 'VIDEO', 'REFERENCE_VIDEO', 'TRANSITION_VIDEO', 'ANIMATION', 'IMAGE_FILL'];
const taskPaths = pathless.map((kind) => `${kind}=/${kind}/{id}`).join(',');

/** A gateway that says the same time everywhere, written exactly like this. */
async function startTelling(time: string) {
  const { url } = await startFakeGateway((request, response) => {
    const image = `"created":${time},"data":[{"url":"http://x/1.jpg"}]`;
    const task = `"id":"t","status":"processing","created_at":${time}`;
    const song = `"task_id":"t","status":"IN_PROGRESS","submit_time":${time}`;
    const body = request.url?.startsWith('/v1/images/')
      ? `{${image}}`
      : request.url === '/music/fetch'
        ? `{"data":[{${song}}]}`
        : `{${task}}`;
    sendJson(response, body);
  });
  return startApp({ gatewayUrl: url, env: { GATEWAY_TASK_PATHS: taskPaths } });
}

const noon = '2026-11-20T12:00:00.000Z';

test.each([
  ['Unix seconds', '1795176000', noon],
  ['Unix milliseconds', '1795176000000', noon],
  ['Unix seconds as text', '"1795176000"', noon],
  ['Unix milliseconds as text', '"1795176000000"', noon],
  ['ISO text', '"2026-11-20T12:00:00Z"', noon],
  ['a number that is too large for a date', '1e20', null],
  ['an integer that is too large for a date', '100000000000000000000', null],
  ['a time after the year 9999', '8640000000000000', null],
  ['zero', '0', null],
  ['another text', '"soon"', null],
])('every family reads %s (%s) alike', async (_name, time, expected) => {
  await using app = await startTelling(time);
  const query = `{ ${kinds
    .map((kind) => `${kind}: taskByHandle(handle: { kind: ${kind}, upstreamId: "t" }) { status submittedAt }`)
    .join(' ')} }`;
  expect(await app.run(query)).toEqual({
    data: Object.fromEntries(kinds.map((kind) => [kind, { status: 'RUNNING', submittedAt: expected }])),
  });
  const image = expected === null ? null : '2026-11-21T12:00:00.000Z';
  const create = `mutation { createImage(input: { byResolution: { model: "m", prompt: "p" } }) {
    ... on Generation { output { ... on ImageSet { createdAt } } assets { expiresAt } }
  } }`;
  expect(await app.run(create)).toEqual({
    data: { createImage: { output: { createdAt: expected }, assets: [{ expiresAt: image }] } },
  });
  const events = await collect(subscribe(app.wsClient(), StreamImagesDocument, { input: plainByResolution }));
  expect(events.at(-1)?.data?.streamImages.soFar.images).toMatchObject([{ expiresAt: image }]);
});
