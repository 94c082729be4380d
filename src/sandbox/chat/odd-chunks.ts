import type { PacedWrite } from '../http/paced-writes.ts';
import { encodeSlot, type StreamSlot } from './wire.ts';

/**
 * The same reply, written as differently as server-sent events and the chunks' shape allow: comments, CRLF,
 * `event:` and `id:` fields, data over several lines, several events in one write, one event over several
 * writes, unknown members, null choices and a missing index.
 */
export function* listOddWrites(slots: Iterable<StreamSlot>): Generator<PacedWrite> {
  yield { text: ': a comment\r\n\r\n:\n', steps: 0, tokens: 0, isFlushed: true };
  let held: PacedWrite | undefined;
  let number = 0;
  for (const slot of slots) {
    if (slot.kind !== 'delta') {
      if (held) yield held;
      held = undefined;
      yield { text: encodeSlot(slot), steps: 0, tokens: slot.tokens };
      continue;
    }
    number += 1;
    const text = slot.chunks.map((chunk) => encodeOddly(chunk, number)).join('');
    const write: PacedWrite = { text, steps: 1, tokens: slot.tokens, isFlushed: true };
    if (number % 7 === 5) {
      // Held back, to be sent in one write with what follows.
      held = write;
      continue;
    }
    const joined: PacedWrite = held
      ? { ...write, text: held.text + text, steps: 2, tokens: held.tokens + write.tokens }
      : write;
    held = undefined;
    if (number % 7 === 3) yield* split(joined);
    else yield joined;
  }
}

function encodeOddly(chunk: Readonly<Record<string, unknown>>, number: number): string {
  switch (number % 7) {
    case 0:
      return `: keep-alive\n\nevent: message\nid: ${number}\ndata: ${JSON.stringify(chunk)}\n\n`;
    case 1:
      return `data: ${JSON.stringify({ ...chunk, provider: { latency_ms: 12 }, choices: addUnknown(chunk) })}\r\n\r\n`;
    case 2:
      return `${JSON.stringify(chunk, null, 1).replaceAll(/^/gm, 'data: ')}\n\n`;
    case 3:
      return `data:${JSON.stringify({ ...chunk, choices: removeIndex(chunk) })}\n\n`;
    case 4:
      return `data: ${JSON.stringify({ ...chunk, choices: null })}\n\ndata: ${JSON.stringify(chunk)}\n\n`;
    case 5:
      return `retry: 3000\ndata: ${JSON.stringify(chunk)}\r\n\r\n`;
    default:
      return `data: ${JSON.stringify({ ...chunk, choices: [] })}\n\ndata: ${JSON.stringify(chunk)}\n\n`;
  }
}

function readChoices({ choices }: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  return Array.isArray(choices) ? choices : [];
}

function addUnknown(chunk: Readonly<Record<string, unknown>>): unknown[] {
  return readChoices(chunk).map((choice) => ({ ...choice, content_filter_results: {}, matched_stop: null }));
}

/** Only the first choice can do without its index. */
function removeIndex(chunk: Readonly<Record<string, unknown>>): unknown[] {
  return readChoices(chunk).map(({ index, ...rest }) => (index === 0 ? rest : { index, ...rest }));
}

/** Cuts an event in three, in the middle of its JSON; a client must wait for the rest. */
function* split(write: PacedWrite): Generator<PacedWrite> {
  const first = findCut(write.text, write.text.length / 3);
  const second = findCut(write.text, (write.text.length * 2) / 3);
  yield { text: write.text.slice(0, first), steps: 0.5, tokens: 0, isFlushed: true };
  yield { text: write.text.slice(first, second), steps: 0.5, tokens: 0, isFlushed: true };
  yield { ...write, text: write.text.slice(second), steps: 0 };
}

/** A place near `at` that is not between the halves of a surrogate pair: each write is encoded by itself. */
function findCut(text: string, at: number): number {
  const cut = Math.floor(at);
  return (text.codePointAt(cut - 1) ?? 0) > 0xffff ? cut + 1 : cut;
}
