import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { ServerResponse } from 'node:http';
import { inBandError } from '../chat/reply-faults.ts';
import { cutConnection } from '../http/cut-connection.ts';
import type { PictureRecipe } from '../media/recipes.ts';
import { deliverImage, imageFailure, isFailing, type ImageOrder } from './order.ts';
import { toImageMs, waitUntil } from './pace.ts';
import { toImageUsage } from './usage.ts';

/** The images of set A one after another, as server-sent events. Each is paid for as it is sent. */
export async function streamImages(order: ImageOrder): Promise<Response> {
  const { exchange, services, model, prompt, recipes } = order;
  const { outgoing } = exchange.env;
  outgoing.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  outgoing.flushHeaders();

  const startedAt = services.clock();
  const made: PictureRecipe[] = [];
  for (const [index, recipe] of recipes.entries()) {
    const dueAt = startedAt + (index + 1) * toImageMs(services);
    if (!(await waitUntil(exchange, services, dueAt))) return RESPONSE_ALREADY_SENT;
    if (await sendImage(order, recipe, index)) made.push(recipe);
    if (index === 0 && (await breakOff(order))) return RESPONSE_ALREADY_SENT;
  }
  await send(
    outgoing,
    toEvent('image_generation.completed', {
      model,
      created: Math.floor(services.clock() / 1000),
      usage: toImageUsage(prompt, made),
    }),
  );
  outgoing.end('data: [DONE]\n\n');
  return RESPONSE_ALREADY_SENT;
}

/** Whether there is an image: one that fails does not end the stream. */
async function sendImage(order: ImageOrder, recipe: PictureRecipe, index: number): Promise<boolean> {
  const { exchange, services, model, chargeImage } = order;
  const { outgoing } = exchange.env;
  const head = { model, created: Math.floor(services.clock() / 1000), image_index: index };
  if (isFailing(order, index)) {
    await send(outgoing, toEvent('image_generation.partial_failed', { ...head, error: imageFailure }));
    return false;
  }
  const image = await deliverImage(order, recipe);
  if (outgoing.destroyed) return false;
  // Before it is sent: whoever has the image must find it paid for.
  chargeImage();
  const size = `${recipe.width}x${recipe.height}`;
  await send(outgoing, toEvent('image_generation.partial_succeeded', { ...head, ...image, size }));
  return true;
}

/** Plays the faults of streams, all of which come after the first image. Whether the stream is over by that. */
async function breakOff({ exchange, faults }: ImageOrder): Promise<boolean> {
  const { outgoing } = exchange.env;
  if (faults.has('malformed-event')) {
    await send(outgoing, 'event: image_generation.partial_succeeded\ndata: {"type":"image_gen\n\n');
  }
  if (faults.has('cut-stream')) {
    cutConnection(outgoing, { isReset: false });
  } else if (faults.has('stalled-stream')) {
    if (!outgoing.destroyed) await new Promise((resolve) => void outgoing.once('close', resolve));
  } else if (faults.has('bare-eof')) {
    outgoing.end();
  } else if (faults.has('in-band-error')) {
    outgoing.end(toEvent('error', inBandError));
  }
  return outgoing.destroyed || outgoing.writableEnded;
}

function toEvent(type: string, members: Readonly<Record<string, unknown>>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

/** Resolves when the text is on its way: a slow client holds the stream up, and a cut comes after what was said. */
function send(outgoing: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed) {
      resolve();
      return;
    }
    const settle = (): void => {
      outgoing.off('close', settle);
      resolve();
    };
    outgoing.once('close', settle);
    outgoing.write(text, settle);
  });
}
