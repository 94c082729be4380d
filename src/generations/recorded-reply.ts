import { doAtOnce, doInPieces, type Steps } from '../lib/fairness/steps.ts';
import { largeWork } from '../lib/fairness/large-work.ts';
import type { Json } from '../lib/json.ts';
import { joinPieces, jsonPieces, textPieces } from '../lib/json-pieces.ts';
import { fitsSurely, isLarge } from '../lib/json-size.ts';
import type { StoredOutput, TaskStatus } from '../store/records.ts';
import { describeTexts, minTextBytes, replaceTextsInSteps, type TextReplacement } from './replace-texts.ts';
import { withoutMediaInSteps } from './without-media.ts';

interface DecodedReply {
  readonly status?: TaskStatus | undefined;
  readonly output?: StoredOutput | undefined;
}

/**
 * The reply without its inline media, for the record. Its size is limited only if it succeeded with an output: any other
 * reply may contain the only copy of what was paid for. A large reply is divided into pieces.
 */
export async function toRecordedReply(reply: Json, decoded: DecodedReply, maxBytes: number): Promise<Json> {
  const steps = recordReply(reply, decoded, maxBytes);
  if (!isLarge(reply)) return doAtOnce(steps);
  await largeWork.nextPiece();
  return doInPieces(steps);
}

/** Replaces all long texts by their size and hash, or the whole reply if it does not fit without them. */
function* recordReply(reply: Json, { status, output }: DecodedReply, maxBytes: number): Steps<Json> {
  const raw = yield* withoutMediaInSteps(reply);
  const isLimited = status === 'SUCCEEDED' && output !== undefined;
  if (!isLimited || (yield* fits(raw, maxBytes))) return raw;
  const limited = yield* replaceTextsInSteps(raw, longTexts);
  if (yield* fits(limited, maxBytes)) return limited;
  return yield* describeTexts('json', joinPieces(jsonPieces(raw)));
}

const longTexts: TextReplacement = {
  isShort: (text) => text.length < minTextBytes && Buffer.byteLength(text) < minTextBytes,
  replace: (text) => describeTexts('text', textPieces(text)),
};

function* fits(value: Json, maxBytes: number): Steps<boolean> {
  if (fitsSurely(value, maxBytes)) return true;
  let bytes = 0;
  for (const text of joinPieces(jsonPieces(value))) {
    yield text.length;
    bytes += Buffer.byteLength(text);
    if (bytes > maxBytes) return false;
  }
  return true;
}
