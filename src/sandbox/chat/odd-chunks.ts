import type { PacedWrite } from '../http/paced-writes.ts';
import { encodeSlot, type StreamSlot } from './wire.ts';

/**
 * The same reply in every form that server-sent events and chunks allow: comments, CRLF, `event:` and `id:` fields,
 * data over several lines, several events in one write, one event over several writes, unknown members, null choices
 * and a missing index.
 */
export function* listOddWrites(slots: Iterable<StreamSlot>): Generator<PacedWrite> {
  yield { text: ': a comment\r\n\r\n:\n', steps: 0, tokens: 0, isFlushed: true };
  let number = 0;
  for (const slot of slots) {
    const { kind, chunks, tokens } = slot;
    if (kind !== 'delta') {
      yield { text: encodeSlot(slot), steps: 0, tokens };
      continue;
    }
    number += 1;
    const encode = encoders[number % encoders.length] ?? toData;
    const text = chunks.map((chunk) => encode(chunk, number)).join('');
    switch (number % encoders.length) {
      case 3:
        yield* split(text, tokens);
        break;
      case 5:
        // Due two steps at once, so that it shares its write with the next one.
        yield { text, steps: 2, tokens };
        break;
      default:
        yield { text, steps: number % encoders.length === 6 ? 0 : 1, tokens, isFlushed: true };
    }
  }
}

type Chunk = StreamSlot['chunks'][number];

const toData = (chunk: Chunk): string => `data: ${JSON.stringify(chunk)}\n\n`;

const encoders: readonly ((chunk: Chunk, number: number) => string)[] = [
  (chunk, number) => `: keep-alive\n\nevent: message\nid: ${number}\n${toData(chunk)}`,
  (chunk) => {
    const choices = readChoices(chunk).map((choice) => ({
      ...choice,
      content_filter_results: {},
      matched_stop: null,
    }));
    return `data: ${JSON.stringify({ ...chunk, provider: { latency_ms: 12 }, choices })}\r\n\r\n`;
  },
  (chunk) => `${JSON.stringify(chunk, null, 1).replaceAll(/^/gm, 'data: ')}\n\n`,
  (chunk) => {
    // Only the first choice can omit its index.
    const choices = readChoices(chunk).map(({ index, ...rest }) => (index === 0 ? rest : { index, ...rest }));
    return `data:${JSON.stringify({ ...chunk, choices })}\n\n`;
  },
  (chunk) => toData({ ...chunk, choices: null }) + toData(chunk),
  (chunk) => `retry: 3000\ndata: ${JSON.stringify(chunk)}\r\n\r\n`,
  (chunk) => toData({ ...chunk, choices: [] }) + toData(chunk),
];

function readChoices({ choices }: Chunk): Record<string, unknown>[] {
  return Array.isArray(choices) ? choices : [];
}

/** Cuts an event in three, inside the JSON of its id, which is ASCII. */
function* split(text: string, tokens: number): Generator<PacedWrite> {
  yield { text: text.slice(0, 10), steps: 0.5, tokens: 0, isFlushed: true };
  yield { text: text.slice(10, 20), steps: 0.5, tokens: 0, isFlushed: true };
  yield { text: text.slice(20), steps: 0, tokens, isFlushed: true };
}
