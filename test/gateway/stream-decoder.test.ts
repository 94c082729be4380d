import { expect, test } from 'vitest';
import { createStreamDecoder } from '../../src/gateway/stream-decoder.ts';
import { createRandom } from '../support/random.ts';

const mark = '\ufeff';
const parts = ['a', 'data: x\n\n', 'é', '漢', '😀', mark].map((text) => Buffer.from(text));
/** Not UTF-8. */
const broken = [[0xff], [0x80], [0xc3], [0xe6, 0xbc], [0xf0, 0x9f], [0xed, 0xa0, 0x80]].map((bytes) =>
  Buffer.from(bytes),
);

test('a stream is decoded as by one TextDecoder, for random bytes and splits', () => {
  for (let seed = 0; seed < 5000; seed += 1) {
    const random = createRandom(seed);
    const pick = (limit: number): number => Math.floor(random() * limit);
    const kinds = seed % 2 === 0 ? parts : [...parts, ...broken];
    const bytes = Buffer.concat(
      Array.from({ length: 1 + pick(10) }, () => kinds[pick(kinds.length)] as Buffer),
    );
    const whole = new TextDecoder();
    const decoder = createStreamDecoder();
    for (let start = 0; start < bytes.length;) {
      const end = start + pick(6);
      const chunk = bytes.subarray(start, end);
      expect(decoder.decode(chunk), bytes.toString('hex')).toBe(whole.decode(chunk, { stream: true }));
      start = end;
    }
    expect(decoder.end(), bytes.toString('hex')).toBe(whole.decode());
  }
});
