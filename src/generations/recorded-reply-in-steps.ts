import type { Json } from '../lib/json.ts';
import { joinPieces, jsonPieces, textPieces } from '../lib/json-pieces.ts';
import { isLarge } from '../lib/json-size.ts';
import { largeWork } from '../lib/fairness/large-work.ts';
import { createSteps, describeTexts, mapTexts, withoutMediaInSteps } from './media-in-steps.ts';
import { type DecodedReply, isLimited, toRecordedReply, withoutTexts } from './recorded-reply.ts';

/** Like `toRecordedReply`. A large reply is divided into pieces. */
export async function toRecordedReplyInSteps(
  reply: Json,
  decoded: DecodedReply,
  maxBytes: number,
): Promise<Json> {
  if (!isLarge(reply)) return toRecordedReply(reply, decoded, maxBytes);
  const steps = createSteps();
  await largeWork.nextPiece();
  const raw = await withoutMediaInSteps(reply, {}, steps);
  if (!isLimited(decoded) || (await fits(raw, maxBytes))) return raw;
  const limited = await mapTexts(raw, {
    steps,
    mapSmall: withoutTexts,
    mapText: (text) => describeTexts('text', textPieces(text), steps),
  });
  if (await fits(limited, maxBytes)) return limited;
  return describeTexts('json', joinPieces(jsonPieces(raw)), steps);
}

async function fits(value: Json, maxBytes: number): Promise<boolean> {
  let bytes = 0;
  for (const text of joinPieces(jsonPieces(value))) {
    await largeWork.nextPiece();
    bytes += Buffer.byteLength(text);
    if (bytes > maxBytes) return false;
  }
  return true;
}
