import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { ServerResponse } from 'node:http';
import { inBandError } from '../chat/reply-faults.ts';
import { cutConnection } from '../http/cut-connection.ts';
import type { PictureRecipe } from '../media/recipes.ts';
import { deliverImage, imageFailure, isFailing, type ImageOrder } from './order.ts';
import { toImageMs, waitUntil } from './pace.ts';
import { toImageUsage } from './usage.ts';

/** Streams the images of set A as server-sent events. Each image is charged when it is sent. */
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

/** Returns whether there is an image. A failed image does not end the stream. */
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
  // Charged before it is sent, so that a client that has the image sees the charge.
  chargeImage();
  const size = `${recipe.width}x${recipe.height}`;
  await send(outgoing, toEvent('image_generation.partial_succeeded', { ...head, ...image, size }));
  return true;
}

/** Plays the faults of streams after the first image. Returns whether the stream is over. */
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

/** Resolves when the text is written, so that a slow client exerts backpressure and a cut comes after the text. */
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
