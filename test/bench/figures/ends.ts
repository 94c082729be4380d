import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Bench,
  type Figure,
  interleave,
  measure,
  microsPerUnit,
  ratioOf,
  type Row,
  type Sample,
  type ServerUnderTest,
} from '../harness.ts';
import { withOwnProcesses } from '../own-processes.ts';
import type { ReceiverCalls } from '../processes/receiver.ts';
import { median, spreadOfPairs } from '../statistics.ts';
import { assertReceived, openStreams } from '../streams.ts';

/** What files and webhooks cost a token and a create. The floor is the same server without them. */
export const ends: Figure = { name: 'ends', run };

const subjects = ['off', 'files', 'webhooks'] as const;
const noise = 1.1;

async function run(bench: Bench): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'gengraph-bench-'));
  try {
    return await withOwnProcesses(bench, async ({ start, bench: own }) => {
      const receiver = await start<ReceiverCalls>('receiver');
      const url = await receiver.call('url');
      const secret = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;
      const settings = {
        off: {},
        files: { FILES: 'folder', FILES_DIR: join(directory, 'files') },
        webhooks: {
          WEBHOOKS: JSON.stringify([{ name: 'bench', url, secret }]),
          WEBHOOK_HOSTS: new URL(url).host,
        },
      };
      const startServer = (name: (typeof subjects)[number]): Promise<ServerUnderTest> =>
        bench.start('gengraph', { dataDirectory: join(directory, name), settings: settings[name] });
      const servers = {
        off: await startServer('off'),
        files: await startServer('files'),
        webhooks: await startServer('webhooks'),
      };
      const rows = await measureRows(own, servers);
      if ((await receiver.call('received')) === 0) throw new Error('the receiver got no event');
      return rows;
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Round {
  readonly tokens: Sample;
  readonly creates: Sample;
  /** Median time of a create in milliseconds. */
  readonly createMs: number;
}

async function measureRows(
  bench: Bench,
  servers: Readonly<Record<(typeof subjects)[number], ServerUnderTest>>,
): Promise<readonly Row[]> {
  const { samples, rounds } = await interleave(bench, {
    quietRounds: bench.isQuick ? 4 : 10,
    maxMs: bench.isQuick ? 30_000 : 90_000,
    work: {
      off: () => measureRound(bench, servers.off),
      files: () => measureRound(bench, servers.files),
      webhooks: () => measureRound(bench, servers.webhooks),
    },
  });
  const { off } = samples;
  return subjects.slice(1).flatMap((subject) => {
    const on = samples[subject];
    const costRow = (work: string, name: 'tokens' | 'creates'): Row => {
      const [with_, without] = [on, off].map((all) => all.map((round) => round[name]));
      const ratio = ratioOf(with_ ?? [], without ?? []);
      return {
        work,
        unit: 'µs',
        floor: microsPerUnit(without ?? []),
        gengraph: microsPerUnit(with_ ?? []),
        ratio,
        goal: name === 'tokens' ? { value: ratio.median, must: noise, measure: 'ratio' } : undefined,
        rounds,
      };
    };
    const [with_, without] = [on, off].map((all) => all.map(({ createMs }) => createMs));
    const delay = spreadOfPairs(with_ ?? [], without ?? []);
    return [
      costRow(`token, ${subject}`, 'tokens'),
      costRow(`chat from its create to its end, ${subject}`, 'creates'),
      {
        work: `wait for a create, ${subject}`,
        unit: 'ms',
        floor: median(without ?? []),
        gengraph: median(with_ ?? []),
        ratio: delay,
        goal: { value: delay.median, must: noise, measure: 'ratio' },
        rounds,
        note: 'wall clock: compare on a quiet machine only',
      },
    ];
  });
}

const pace = { writesPerStream: 100, tokensPerWrite: 1, intervalMs: 10 };
const chatCount = 50;
const createCount = 100;
let lastRound = 0;

async function measureRound(bench: Bench, server: ServerUnderTest): Promise<Round> {
  const streams = await openStreams(bench, server, chatCount);
  const tokens = await measure(server, async () => {
    const received = await streams.send(pace);
    assertReceived(server, received, chatCount * pace.writesPerStream);
    return received.tokens;
  });
  await streams.end();
  let createMs = 0;
  const creates = await measure(server, async () => {
    const group = `ends-${(lastRound += 1)}`;
    const load = { group, url: server.url, count: createCount, perSecond: 100 };
    createMs = (await bench.load.call('paceChats', load)).p50;
    await bench.upstream.call('endStreams', group);
    return createCount;
  });
  return { tokens, creates, createMs };
}
