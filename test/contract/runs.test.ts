import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, createServer as createTcpServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSplitter } from '../../src/contract/clients/cutting-proxy.ts';
import { createPlan, type PlanOptions } from '../../src/contract/plan.ts';
import { printReport } from '../../src/contract/report.ts';
import { type Outcome, runPlan } from '../../src/contract/run-plan.ts';
import { createWorld, type Target } from '../../src/contract/world.ts';
import { sandboxKey, startApp } from '../support/app.ts';
import { startBuilt } from '../support/built-program.ts';

/** Fast, but slower than a machine that is busy. */
const sandbox = { tokensPerSecond: 400 };

async function startServer(): Promise<string> {
  const app = await startApp({ sandbox });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app.url;
}

async function runAt(
  url: string,
  options: PlanOptions,
  more: Partial<Target> = {},
): Promise<readonly Outcome[]> {
  const socketUrl = url.replace('http', 'ws');
  const known = {
    url,
    socketUrl,
    headers: sandboxKey,
    isBehindRouter: false,
    model: 'gpt-4o',
    maxTokens: 400,
  };
  return runPlan(createPlan(options), createWorld({ ...known, ...more }));
}

const failed = (outcomes: readonly Outcome[]) => outcomes.filter(({ result }) => result === 'failed');

/** Passes bytes on, changed: what the client sends, and each frame that the server sends. */
async function startAltered(url: string, alter: Alteration): Promise<string> {
  const server = createTcpServer((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1');
    const split = createSplitter();
    near.on('data', (bytes) => far.write(alter.sent?.(bytes) ?? bytes)).on('error', () => far.destroy());
    far.on('data', (bytes) => {
      for (const { kind, whole, text } of split(bytes))
        for (const piece of (kind === 'frame' && alter.received?.(whole, text)) || [whole]) near.write(piece);
    });
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // Of TCP.
  return `http://127.0.0.1:${port}/graphql`;
}

interface Alteration {
  readonly sent?: (bytes: Buffer) => Buffer;
  /** Of a WebSocket: the frames instead of this one. */
  readonly received?: (frame: Buffer, text: string) => readonly Buffer[];
}

let requests = 0;

const alterations: Readonly<Record<string, { readonly rule: string; readonly alteration: Alteration }>> = {
  'loses a delta': {
    rule: '2.1',
    alteration: { received: (piece, text) => (/"ChatDelta".*"sequence":\d*5\D/.test(text) ? [] : [piece]) },
  },
  'sends the end twice': {
    rule: '3.1',
    alteration: { received: (piece, text) => (text.includes('"ChatCompleted"') ? [piece, piece] : [piece]) },
  },
  'completes without the end': {
    rule: '3.3',
    alteration: { received: (piece, text) => (text.includes('"ChatCompleted"') ? [] : [piece]) },
  },
  'takes each request for another create': {
    rule: '6.2',
    alteration: {
      sent(bytes) {
        requests += 1;
        const digits = String(requests % 1000).padStart(3, '0');
        return Buffer.from(bytes.toString('latin1').replace(/(?<="contract-)\w{3}/, digits), 'latin1');
      },
    },
  },
};

describe('gengraph contract', () => {
  test('finds that this server keeps every rule', async () => {
    const outcomes = await runAt(await startServer(), { isQuick: true });
    expect(failed(outcomes)).toEqual([]);
    expect(outcomes.filter(({ result }) => result === 'held').length).toBeGreaterThan(30);
  });

  test.each(Object.entries(alterations))('finds a server that %s', async (_what, { rule, alteration }) => {
    const url = await startAltered(await startServer(), alteration);
    const outcomes = await runAt(url, { only: [rule], isQuick: true });
    expect(failed(outcomes).map((outcome) => outcome.rule)).toEqual([rule]);
    expect(printReport(outcomes, { created: 1, only: true })).toMatch(new RegExp(`^${rule} +FAILED`));
  });

  test('finds a server that takes two callers for one', async () => {
    const outcomes = await runAt(
      await startServer(),
      { only: ['8.1'], isQuick: true },
      { otherHeaders: sandboxKey },
    );
    expect(failed(outcomes).map(({ rule }) => rule)).toEqual(['8.1']);
  });
});

describe('the program', () => {
  async function run(...args: readonly string[]) {
    const program = startBuilt(['contract', ...args]);
    const { code } = await program.exited;
    return { code, output: program.output, errors: program.stderr };
  }

  test('runs from the package, prints a report, and exits with 0 if the rules hold', async () => {
    const { code, output } = await run('--url', await startServer(), '--rules', '4.4,7.4');
    expect(output).toMatch(/^4\.4 +held +6 {2}`after` that is no Int is refused\.$/m);
    expect(output).toContain('8 cases: 8 held, 0 failed, 0 not applicable. 2 chats were created.');
    expect(code).toBe(0);
  });

  test.each([
    ['a key', '--key', 'sk-real'],
    ['a header, which a router may take for a credential', '--header', 'cookie: session=sk-real'],
  ])('sends nothing with %s before the user has agreed', async (_what, ...credential) => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo; // Of TCP.
    const { code, output } = await run('--url', `http://127.0.0.1:${port}/graphql`, ...credential);
    expect([code, requests]).toEqual([0, 0]);
    expect(output).toContain('Nothing was sent. Add --yes to run it.');
    expect(output).not.toContain('sk-real');
  });

  test('exits with 1 if a rule fails, and with 2 if nothing can be tested', async () => {
    const broken = await startAltered(
      await startServer(),
      alterations['completes without the end']?.alteration ?? {},
    );
    expect((await run('--url', broken, '--rules', '3.3', '--quick')).code).toBe(1);
    expect((await run('--url', await startServer(), '--key', 'wrong', '--yes', '--quick')).errors).toMatch(
      /^Nothing could be tested: a chat was not created: AUTHENTICATION_FAILED/m,
    );
    expect((await run('--url', 'http://127.0.0.1:9/graphql', '--quick')).code).toBe(2);
    expect((await run('--url', `${new URL(await startServer()).origin}/`, '--quick')).errors).toMatch(
      /^Nothing could be tested: is --url the address of GraphQL\? Status 302, no JSON/m,
    );
    expect((await run('--url', 'ftp://x')).code).toBe(2);
    expect((await run('--key', 'sk-real', '--yes')).code).toBe(2);
  });
});
