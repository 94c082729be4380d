import { asArray, asRecord } from '../../lib/json.ts';
import type { PacedWrite, StreamEnding } from '../http/paced-writes.ts';
import { listOddWrites } from './odd-chunks.ts';
import { countLongest, type Reply } from './reply.ts';
import { inBandError } from './reply-faults.ts';
import { encodeSlot, type StreamSlot } from './wire.ts';

/** The writes of a stream, and how it ends. */
export interface StreamPlan {
  readonly writes: Iterable<PacedWrite>;
  readonly ending: StreamEnding;
}

/** How many tokens a stream sends before it stops. */
const fewTokens = 8;

/** The stream of a reply, with the fault that the model's name asks for. */
export function planStream(model: string, slots: Iterable<StreamSlot>, reply: Reply): StreamPlan {
  const half = Math.max(Math.floor(countLongest(reply) / 2), 1);
  const few = Math.min(half, fewTokens);
  switch (model) {
    case 'fault-cut-stream':
      return { writes: listWrites(slots, { steps: half, stops: true }), ending: 'cut' };
    case 'fault-stalled-stream':
      return { writes: listWrites(slots, { steps: few, stops: true }), ending: 'stall' };
    case 'fault-bare-eof':
      return { writes: listWrites(slots, { steps: few, stops: true }), ending: 'end' };
    case 'fault-in-band-error': {
      const text = `data: ${JSON.stringify(inBandError)}\n\n`;
      return { writes: listWrites(slots, { steps: few, stops: true, text }), ending: 'end' };
    }
    case 'fault-malformed-chunk':
      return {
        writes: listWrites(slots, { steps: half, text: 'data: {"id":"chatcmpl-\n\n' }),
        ending: 'end',
      };
    case 'fault-eof-after-finish':
      return { writes: listWrites(slots, { omitsDone: true }), ending: 'end' };
    case 'fault-odd-chunks':
      return { writes: listOddWrites(slots), ending: 'end' };
    case 'fault-equal-call-index':
      return { writes: listWrites(withCallIndex(slots, { index: 0 }), {}), ending: 'end' };
    case 'fault-no-call-index':
      return { writes: listWrites(withCallIndex(slots, {}), {}), ending: 'end' };
    default:
      return { writes: listWrites(slots, {}), ending: 'end' };
  }
}

/** The reply with an emoji in the middle of its text whose two surrogate halves are two tokens. */
export function splitSurrogate({ choices, usage }: Reply): Reply {
  return {
    choices: choices.map((choice) => {
      const middle = Math.ceil(choice.content.length / 2);
      return { ...choice, content: choice.content.toSpliced(middle, 0, '\ud83d', '\ude00') };
    }),
    usage: { ...usage, completionTokens: usage.completionTokens + 2 * choices.length },
  };
}

/** The chunks with another index of their tool calls, or without one. */
function* withCallIndex(
  slots: Iterable<StreamSlot>,
  place: { readonly index?: number },
): Generator<StreamSlot> {
  for (const slot of slots) {
    const chunks = slot.chunks.map((chunk) => ({
      ...chunk,
      choices: asArray(chunk['choices']).map(moveCalls),
    }));
    yield { ...slot, chunks };
  }

  function moveCalls(choice: unknown): unknown {
    const delta = asRecord(asRecord(choice)?.['delta']);
    const calls = delta?.['tool_calls'];
    if (!Array.isArray(calls)) return choice;
    const moved = calls.map((call) => {
      const { index: _index, ...rest } = asRecord(call) ?? {};
      return { ...place, ...rest };
    });
    return { ...asRecord(choice), delta: { ...delta, tool_calls: moved } };
  }
}

interface Disturbance {
  /** The disturbance occurs after this many model steps. */
  readonly steps?: number;
  /** Whether the stream stops there, so that no choice gets a finish reason. */
  readonly stops?: boolean;
  /** Text that is inserted there. */
  readonly text?: string;
  readonly omitsDone?: boolean;
}

function* listWrites(slots: Iterable<StreamSlot>, fault: Disturbance): Generator<PacedWrite> {
  let done = 0;
  for (const slot of slots) {
    const { kind, tokens } = slot;
    const isDropped = fault.stops ? kind !== 'start' && kind !== 'delta' : fault.omitsDone && kind === 'done';
    // All choices advance in one step of the model.
    const steps = tokens > 0 ? 1 : 0;
    done += steps;
    if (!isDropped) yield { text: encodeSlot(slot), steps, tokens };
    if (steps === 0 || done !== fault.steps) continue;
    if (fault.text !== undefined) yield { text: fault.text, steps: 0, tokens: 0 };
    if (fault.stops) return;
  }
}
