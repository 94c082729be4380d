import { z } from 'zod';
import { isRecord } from '../../lib/json.ts';
import { link } from '../http/members.ts';
import { decodeStrictly } from '../http/validate.ts';

export type VideoRequest = z.output<typeof imagesRequest> | z.output<typeof characterRequest>;

const orientation = z.enum(['portrait', 'landscape']);
const size = z.enum(['small', 'large']);

const imagesRequest = z.strictObject({
  images: z.array(z.string()),
  model: z.string().min(1),
  orientation,
  prompt: z.string(),
  size,
  duration: z.literal([10, 15]),
  // The gateway documents a string, and its example sends a boolean.
  watermark: z.union([z.boolean(), z.enum(['true', 'false'])], 'expected "true" or "false"'),
});

const characterRequest = z
  .strictObject({
    images: z.array(z.string()).optional(),
    model: z.string().min(1),
    orientation: orientation.default('landscape'),
    prompt: z.string(),
    duration: z.literal([10, 15, 25]).default(10),
    character_url: link.optional(),
    character_timestamps: z
      .string()
      .refine(isSpan, 'expected <start>,<end> in seconds, from 1 to 3 seconds apart')
      .optional(),
    size,
  })
  .refine(({ model, duration }) => duration !== 25 || /pro/i.test(model), {
    path: ['duration'],
    message: 'expected 10 or 15, since 25 is for pro models only',
  });

/** Both variants share one path. Requests with images have a watermark, requests with a character cannot have one. */
export function decodeVideoRequest(body: unknown): VideoRequest {
  const isOfImages = isRecord(body) && 'watermark' in body;
  return isOfImages ? decodeStrictly(imagesRequest, body) : decodeStrictly(characterRequest, body);
}

function isSpan(text: string): boolean {
  const match = /^(\d{1,6}(?:\.\d{1,3})?),(\d{1,6}(?:\.\d{1,3})?)$/.exec(text);
  if (!match) return false;
  // In whole milliseconds, since the difference of two fractions is not exact.
  const [start, end] = [match[1], match[2]].map((part) => Math.round(Number(part) * 1000));
  const spanMs = (end ?? 0) - (start ?? 0);
  return spanMs >= 1000 && spanMs <= 3000;
}
