import { describe, expect, test } from 'vitest';
import { createEventReader, type StreamEnd } from '../../src/gateway/event-stream.ts';
import type { HttpReply } from '../../src/gateway/http-client.ts';
import { createRandom } from '../support/random.ts';

/** Reads a body that arrives in the given chunks. */
async function read(
  pieces: readonly (string | Buffer)[],
  failure?: unknown,
): Promise<{ readonly batches: readonly (readonly string[])[]; readonly end: StreamEnd }> {
  const reply: Pick<HttpReply, 'consume'> = {
    async consume(onData) {
      for (const piece of pieces) onData(Buffer.from(piece));
      if (failure !== undefined) throw failure;
    },
  };
  const batches: (readonly string[])[] = [];
  const end = await createEventReader(reply as HttpReply)((events) => void batches.push(events));
  return { batches, end };
}

const withCode = (code: string): Error => Object.assign(new Error(code), { code });

test('a stream beyond its size limit is not read any further', async () => {
  const reply: Pick<HttpReply, 'consume'> = {
    async consume(onData) {
      for (;;) onData(Buffer.from('data: a\n\n'));
    },
  };
  const batches: (readonly string[])[] = [];
  const reading = createEventReader(reply as HttpReply, { maxChars: 50 })(
    (events) => void batches.push(events),
  );
  await expect(reading).rejects.toThrow('the stream has more than 50 characters');
  expect(batches).toHaveLength(5);
});

describe('data lines without a blank line between them', () => {
  const [a, b, c] = ['{"a":"}{\\n"}', '{"b":[{}]}', '{"c":1}'];

  test.each<[string, string, readonly string[]]>([
    ['one line end', `data: ${a}\ndata: ${b}\ndata: ${c}\ndata: [DONE]\n`, [a, b, c, '[DONE]']],
    ['no line end at the end', `data: ${a}\ndata: ${b}`, [a, b]],
    ['CRLF', `data: ${a}\r\ndata: ${b}\r\ndata: [DONE]\r\n`, [a, b, '[DONE]']],
    ['no space', `data:${a}\ndata:${b}\n\n`, [a, b]],
    [
      'after events with a blank line',
      `data: ${a}\n\ndata: ${b}\ndata: ${c}\n\ndata: ${a}\n\n`,
      [a, b, c, a],
    ],
    ['comments between', `data: ${a}\n: ping\ndata: ${b}\n`, [a, b]],
    ['names before each', `event: x\ndata: ${a}\nevent: x\ndata: ${b}\n`, [a, b]],
    [
      'a name after the data of a whole event',
      `data: {"message":"no"}\nevent: error\n\n`,
      ['{"error":{"message":"no"}}'],
    ],
    [
      'JSON over several lines',
      `data: {\ndata: "a": {}\ndata: }\n\ndata: ${b}\ndata: ${c}\n`,
      ['{\n"a": {}\n}', b, c],
    ],
    [
      'JSON over several lines, one of them an object',
      `data: {"a": [\ndata: {}\ndata: ]}\n\n`,
      ['{"a": [\n{}\n]}'],
    ],
  ])('each with a JSON object are events of their own: %s', async (_name, text, expected) => {
    expect((await read([text])).batches.flat()).toEqual(expected);
    const bytes = Array.from(Buffer.from(text), (byte) => Buffer.from([byte]));
    expect((await read(bytes)).batches.flat()).toEqual(expected);
  });

  test('arrive with their line, once a blank line has been omitted', async () => {
    const { batches } = await read([
      `data: ${a}\n`,
      `data: ${b}\n`,
      `data: ${c}\n`,
      'data: [DONE]\n',
      ': open\n',
    ]);
    expect(batches).toEqual([[a, b], [c], ['[DONE]']]);
  });
});

describe('events', () => {
  test('of one read arrive in one call, those of separate reads in separate calls', async () => {
    const { batches, end } = await read(['data: a\n\ndata: b\n\n', 'data: c\n\n']);
    expect(batches).toEqual([['a', 'b'], ['c']]);
    expect(end).toEqual({ type: 'end-of-file' });
  });

  test.each([
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['CR', 'data: a\r\rdata: b\r\r'],
    ['no space', 'data:a\n\ndata:b\n\n'],
    ['comments', ': hi\n\n:\ndata: a\n\n: {"x":1}\n\ndata: b\n\n'],
    ['other fields', 'event: x\nid: 1\nretry: 5\ndata: a\n\nretry: x\nfoo: bar\ndata: b\n\n'],
    ['a byte order mark', '\ufeffdata: a\n\ndata: b\n\n'],
    ['no blank line at the end', 'data: a\n\ndata: b'],
    ['empty events between', 'data: a\n\n\n\n\ndata: b\n\n'],
    ['events without data between', 'data: a\n\ndata:\n\nevent: ping\ndata: \n\ndata: b\n\n'],
  ])('are read with %s', async (_name, text) => {
    expect((await read([text])).batches.flat()).toEqual(['a', 'b']);
    // Also byte by byte.
    const bytes = Array.from(Buffer.from(text), (byte) => Buffer.from([byte]));
    expect((await read(bytes)).batches.flat()).toEqual(['a', 'b']);
  });

  test.each([
    ['{"message":"m","type":"t"}', '{"error":{"message":"m","type":"t"}}'],
    ['{"error":{"message":"m"},"x":1}', '{"error":{"message":"m"},"x":1}'],
    ['"m"', '{"error":{"message":"\\"m\\""}}'],
    ['out of tokens', '{"error":{"message":"out of tokens"}}'],
    ['', '{"error":{"message":"The gateway sent an error."}}'],
  ])('named error become error bodies, whatever their data: %s', async (data, body) => {
    expect((await read([`event: error\ndata: ${data}\n\n`])).batches).toEqual([[body]]);
  });

  test('with several data lines are one text', async () => {
    expect((await read(['data: {\ndata:  "a": 1\ndata: }\n\n'])).batches).toEqual([['{\n "a": 1\n}']]);
  });

  test('are the same wherever the body is split', async () => {
    const expected = ['{"a":"漢😀"}', 'x', '{"b":\n1}', '[DONE]', '{"error":{"message":"é"}}'];
    const body = Buffer.from(
      'data: {"a":"漢😀"}\n\n: c\nevent: e\ndata: x\r\n\r\ndata: {"b":\ndata: 1}\n\ndata: [DONE]\n\n{"error":{"message":"é"}}',
    );
    const random = createRandom(1);
    for (let round = 0; round < 300; round += 1) {
      const pieces: Buffer[] = [];
      for (let at = 0; at < body.length;) {
        const next = at + 1 + Math.floor(random() * 12);
        pieces.push(body.subarray(at, next));
        at = next;
      }
      expect((await read(pieces)).batches.flat()).toEqual(expected);
    }
  });
});

describe('a line of bare JSON', () => {
  const error = '{"error":{"message":"broken"}}';

  test.each<[string, readonly string[]]>([
    ['alone', [error]],
    ['with a line end', [`${error}\n`]],
    ['with CRLF', [`${error}\r\n`]],
    ['split', [error.slice(0, 10), error.slice(10)]],
    ['split before its line end', [error, '\n', '\n']],
    ['behind a comment', [`: x\n${error}`]],
  ])('%s is passed like an event', async (_name, pieces) => {
    const { batches } = await read(['data: a\n\n', ...pieces]);
    expect(batches.flat()).toEqual(['a', error]);
  });

  test('is not detected inside an event, wherever that is split', async () => {
    const { batches } = await read(['data: ', '{"a":1}', '{"b":2}\n\ndata: ', '{', '}\n\n']);
    expect(batches.flat()).toEqual(['{"a":1}{"b":2}', '{}']);
  });

  test('is buffered up to a limit', async () => {
    const pieces = [
      'data: a\n\n{',
      ...Array.from({ length: 100 }, () => 'x'.repeat(10_000)),
      '\n',
      'data: b\n\n',
    ];
    expect((await read(pieces)).batches.flat()).toEqual(['a', 'b']);
  });

  test('other bare lines are ignored', async () => {
    const { batches } = await read([
      '<html>\n<body>\n',
      'Internal error\n',
      'data: a\n\n',
      '[1]\n',
      'x: {"a":1}\n',
    ]);
    expect(batches.flat()).toEqual(['a']);
  });
});

describe('the stream end', () => {
  test.each([
    ['UND_ERR_BODY_TIMEOUT', 'stalled'],
    ['UND_ERR_SOCKET', 'cut'],
    ['ECONNRESET', 'cut'],
  ])('by %s is reported as %s', async (code, type) => {
    const failure = withCode(code);
    const { end, batches } = await read(['data: a\n\n'], failure);
    expect(end).toEqual({ type, cause: failure });
    expect(batches).toEqual([['a']]);
  });

  test('by a cut drops the incomplete event', async () => {
    expect((await read(['data: a\n\ndata: b\n'], withCode('ECONNRESET'))).batches).toEqual([['a']]);
  });

  test('by any other error rejects', async () => {
    await expect(read(['data: a\n\n'], new TypeError('a defect'))).rejects.toThrow('a defect');
  });

  test('rejects if an event exceeds the size limit', async () => {
    const mebibyte = 'x'.repeat(1024 * 1024);
    await expect(read(['data: ', ...Array.from({ length: 17 }, () => mebibyte)])).rejects.toThrow(
      /one event has more than/,
    );
  });

  test('rejects if the consumer throws', async () => {
    const reply: Pick<HttpReply, 'consume'> = {
      async consume(onData) {
        onData(Buffer.from('data: a\n\n'));
      },
    };
    const reading = createEventReader(reply as HttpReply)(() => {
      throw new RangeError('a defect');
    });
    await expect(reading).rejects.toThrow('a defect');
  });
});

/** Parts of bodies: mostly the usual form of a token, with everything else that a stream may contain. */
const parts = [
  'data: {"choices":[{"delta":{"content":"a"}}]}\n\n',
  'data: b\n\n',
  'data: b\n\n',
  'data: \u2028😀é\u0085\n\n',
  'data:  two spaces \n\n',
  'data: [DONE]\n\n',
  'data: \n\n',
  'data:no space\n\n',
  'data\n\n',
  'data: a\r\n\r\n',
  'data: a\r\rdata: b\n\n',
  'data: a\ndata: b\n\n',
  'data: a\n:data: b\n\n',
  'data: a\n\n\n\n',
  '\n\n',
  '\r',
  '\n',
  ': comment\n\n',
  'event: error\n',
  'event: error\ndata: failed\n\n',
  'id: 1\u0000\nretry: 5\n\n',
  '{"error":{"message":"bare"}}\n',
  'dat',
  'data: ',
  'data: \ufeffa\n\n',
  '\ufeff',
];

describe('the events of a body', () => {
  test('are none before a JSON document, after a blank line and an empty event', async () => {
    const { batches, end } = await read(['\n\n', 'data: \n\n', '{"error":{"message":"bare"}}\n']);
    expect(batches).toEqual([['{"error":{"message":"bare"}}']]);
    expect(end).toEqual({ type: 'end-of-file' });
  });

  test('are the same wherever it is split, for random bodies', async () => {
    let random = createRandom(1);
    const pick = (limit: number): number => Math.floor(random() * limit);
    for (let seed = 0; seed < 1000; seed += 1) {
      random = createRandom(seed);
      const usual = random() < 0.7 ? 6 : parts.length;
      const text = Array.from({ length: 1 + pick(12) }, () => parts[pick(usual)]).join('');
      const bytes = Buffer.from(text);
      const bytewise = await read(Array.from(bytes, (byte) => Buffer.from([byte])));
      const reads: Buffer[] = [];
      for (let start = 0; start < bytes.length;) {
        // Most reads of a gateway end with an event.
        const next = bytes.indexOf('\n\n', start + pick(30));
        const end = random() < 0.6 && next !== -1 ? next + 2 : start + 1 + pick(40);
        reads.push(bytes.subarray(start, end));
        start = end;
      }
      const split = await read(reads);
      expect(split.batches.flat(), JSON.stringify(reads.map(String))).toEqual(bytewise.batches.flat());
      expect(split.end).toEqual(bytewise.end);
    }
  });
});
