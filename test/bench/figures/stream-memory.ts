import { type Bench, type Figure, once, type Row, type Subject } from '../harness.ts';
import { spreadOf } from '../statistics.ts';
import { openStreams, type Streams } from '../streams.ts';

const earlyTokens = 100;
const lateTokens = 300;
const budgetKb = 80;

/**
 * Memory of an active stream: by how much a server grows when many more streams run than did before. What it pays for
 * once (code, pools, the young generation of its heap) is there by then.
 */
export const streamMemory: Figure = { name: 'stream-memory', run };

interface StreamMemory {
  readonly residentKb: number;
  readonly heldKb: number;
  /** What each further token adds while its stream is open. */
  readonly bytesPerToken: number;
}

async function run(bench: Bench): Promise<readonly Row[]> {
  // One after the other: streams that wait for a processor would grow differently.
  const floor = await weigh(bench, 'floor');
  const gengraph = await weigh(bench, 'gengraph');
  const plain = await weigh(bench, 'plain-yoga');
  const row = (work: string, unit: 'KB' | 'B', pick: (memory: StreamMemory) => number): Row => ({
    work,
    unit,
    floor: pick(floor),
    gengraph: pick(gengraph),
    plainYoga: pick(plain),
    ratio: spreadOf([pick(gengraph) / pick(floor)]),
    plainRatio: spreadOf([pick(plain) / pick(floor)]),
    rounds: once,
  });
  return [
    {
      ...row(`active stream, ${earlyTokens} tokens in`, 'KB', ({ residentKb }) => residentKb),
      budget: { text: `≤ ${budgetKb} KB`, isMet: gengraph.residentKb <= budgetKb },
      note: 'resident memory',
    },
    {
      ...row('… of it JavaScript', 'KB', ({ heldKb }) => heldKb),
      note: 'heap and buffers, after a collection',
    },
    {
      ...row('… each further token', 'B', ({ bytesPerToken }) => bytesPerToken),
      // The floor keeps nothing.
      ratio: undefined,
      plainRatio: undefined,
    },
  ];
}

async function weigh(bench: Bench, subject: Subject): Promise<StreamMemory> {
  const server = await bench.start(subject);
  const memory = () => server.process.call('memory');
  const baseCount = bench.isQuick ? 60 : 300;
  const count = bench.isQuick ? 100 : 450;

  const base = await openStreams(bench, server, baseCount);
  await sendTokens(base, { tokens: earlyTokens, streams: baseCount });
  const before = await memory();
  const more = await openStreams(bench, server, count);
  await sendTokens(more, { tokens: earlyTokens, streams: count });
  const early = await memory();
  await sendTokens(more, { tokens: lateTokens - earlyTokens, streams: count });
  const late = await memory();
  await base.end();
  await more.end();
  return {
    residentKb: (early.residentBytes - before.residentBytes) / count / 1024,
    heldKb: (early.heldBytes - before.heldBytes) / count / 1024,
    bytesPerToken: (late.heldBytes - early.heldBytes) / count / (lateTokens - earlyTokens),
  };
}

/** In small writes, slowly enough that nobody falls behind. */
async function sendTokens(
  streams: Streams,
  { tokens, streams: count }: { tokens: number; streams: number },
): Promise<void> {
  const tokensPerWrite = 10;
  await streams.send({ tokensPerWrite, writesPerStream: tokens / tokensPerWrite, intervalMs: count * 0.25 });
}
