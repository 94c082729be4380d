import type { PacedWrite, StreamEnding } from '../http/paced-writes.ts';
import { listOddWrites } from './odd-chunks.ts';
import { countChoiceTokens, type Reply } from './reply.ts';
import { inBandError } from './reply-faults.ts';
import { encodeSlot, type StreamSlot } from './wire.ts';

/** What a stream writes, and how it ends. */
export interface StreamPlan {
  readonly writes: Iterable<PacedWrite>;
  readonly ending: StreamEnding;
}

/** The stream of a reply, with the fault in it that the model's name asks for. */
export function planStream(model: string, slots: Iterable<StreamSlot>, reply: Reply): StreamPlan {
  const longest = Math.max(...reply.choices.map(countChoiceTokens));
  const half = Math.max(Math.floor(longest / 2), 1);
  const few = Math.min(half, fewTokens);
  switch (model) {
    case 'fault-cut-stream':
      return { writes: listBefore(slots, half), ending: 'cut' };
    case 'fault-stalled-stream':
      return { writes: listBefore(slots, few), ending: 'stall' };
    case 'fault-bare-eof':
      return { writes: listBefore(slots, few), ending: 'end' };
    case 'fault-in-band-error':
      return {
        writes: [...listBefore(slots, few), toWrite(`data: ${JSON.stringify(inBandError)}\n\n`)],
        ending: 'end',
      };
    case 'fault-eof-after-finish':
      return { writes: listUntilDone(slots), ending: 'end' };
    case 'fault-malformed-chunk':
      return { writes: listWithin(slots, half, 'data: {"id":"chatcmpl-\n\n'), ending: 'end' };
    case 'fault-odd-chunks':
      return { writes: listOddWrites(slots), ending: 'end' };
    default:
      return { writes: listAll(slots), ending: 'end' };
  }
}

/** The reply with an emoji in the middle of its text, whose two surrogate halves are two tokens. */
export function splitSurrogate(reply: Reply): Reply {
  const choices = reply.choices.map((choice) => {
    const middle = Math.ceil(choice.content.length / 2);
    return { ...choice, content: choice.content.toSpliced(middle, 0, '\ud83d', '\ude00') };
  });
  const completionTokens = choices.reduce((sum, choice) => sum + countChoiceTokens(choice), 0);
  return { choices, usage: { ...reply.usage, completionTokens } };
}

/** How many tokens a stream sends before it falls silent. */
const fewTokens = 8;

function toWrite(text: string): PacedWrite {
  return { text, steps: 0, tokens: 0 };
}

function* listAll(slots: Iterable<StreamSlot>): Generator<PacedWrite> {
  for (const slot of slots) yield encode(slot);
}

/** One step of a model per slot, whatever the number of choices. */
function encode(slot: StreamSlot): PacedWrite {
  return { text: encodeSlot(slot), steps: slot.tokens > 0 ? 1 : 0, tokens: slot.tokens };
}

/** So many steps of the stream, and nothing that would finish it. */
function* listBefore(slots: Iterable<StreamSlot>, count: number): Generator<PacedWrite> {
  let steps = 0;
  for (const slot of slots) {
    if (slot.kind !== 'start' && slot.kind !== 'delta') return;
    yield encode(slot);
    if (slot.tokens > 0) steps += 1;
    if (steps === count) return;
  }
}

function* listUntilDone(slots: Iterable<StreamSlot>): Generator<PacedWrite> {
  for (const slot of slots) {
    if (slot.kind !== 'done') yield encode(slot);
  }
}

/** The whole stream, with a foreign text in it after so many steps. */
function* listWithin(slots: Iterable<StreamSlot>, count: number, text: string): Generator<PacedWrite> {
  let steps = 0;
  for (const slot of slots) {
    yield encode(slot);
    if (slot.tokens > 0) steps += 1;
    if (slot.tokens > 0 && steps === count) yield toWrite(text);
  }
}
