import { compareValues } from '../compare-values.ts';
import type { Bench, Figure, Row, Subject } from '../harness.ts';
import { openStreams, type Streams } from '../streams.ts';

const earlyTokens = 100;
const lateTokens = 300;
const mustKb = 80;

/**
 * Memory of an active stream: the growth of a server by additional streams. One-time costs (code, pools, young generation) are
 * paid before.
 */
export const streamMemory: Figure = { name: 'stream-memory', run };

interface StreamMemory {
  readonly residentKb: number;
  readonly heldKb: number;
  /** Memory per additional token of an open stream. */
  readonly bytesPerToken: number;
}

/** A single measurement varies by 10 percent. Both orders are measured equally often. */
const comparedRounds = 4;

async function run(bench: Bench): Promise<readonly Row[]> {
  const isCompared = bench.beforeDirectory !== undefined;
  const roundsRun = isCompared ? (bench.isQuick ? 2 : comparedRounds) : 1;
  const subjects: readonly Subject[] = isCompared
    ? ['floor', 'before', 'gengraph', 'plain-yoga']
    : ['floor', 'gengraph', 'plain-yoga'];
  const weighed: { readonly subject: Subject; readonly memory: StreamMemory }[] = [];
  for (let round = 0; round < roundsRun; round += 1) {
    // Sequential, because streams that wait for a processor grow differently.
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed())
      weighed.push({ subject, memory: await weigh(bench, subject) });
  }
  const row = (work: string, unit: 'KB' | 'B', pick: (memory: StreamMemory) => number) => {
    const of = (name: Subject) =>
      weighed.filter(({ subject }) => subject === name).map(({ memory }) => pick(memory));
    return {
      ...compareValues({
        floor: of('floor'),
        before: of('before'),
        gengraph: of('gengraph'),
        plain: of('plain-yoga'),
      }),
      work,
      unit,
      rounds: { run: roundsRun, kept: roundsRun },
    };
  };
  const resident = row(`active stream, ${earlyTokens} tokens in`, 'KB', ({ residentKb }) => residentKb);
  const further = row('… each further token', 'B', ({ bytesPerToken }) => bytesPerToken);
  return [
    {
      ...resident,
      goal: { value: resident.gengraph, must: mustKb, measure: 'value' },
      note: 'resident memory',
    },
    {
      ...row('… of it JavaScript', 'KB', ({ heldKb }) => heldKb),
      note: 'heap and buffers after garbage collection',
    },
    {
      ...further,
      // The floor stores nothing.
      ratio: undefined,
      plainRatio: undefined,
      before: further.before && { ...further.before, ratio: undefined },
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
  await server.process.stop();
  return {
    residentKb: (early.residentBytes - before.residentBytes) / count / 1024,
    heldKb: (early.heldBytes - before.heldBytes) / count / 1024,
    bytesPerToken: (late.heldBytes - early.heldBytes) / count / (lateTokens - earlyTokens),
  };
}

/** Small, slow writes, so that no client falls behind. */
async function sendTokens(
  streams: Streams,
  { tokens, streams: count }: { tokens: number; streams: number },
): Promise<void> {
  const tokensPerWrite = 10;
  await streams.send({ tokensPerWrite, writesPerStream: tokens / tokensPerWrite, intervalMs: count * 0.25 });
}
