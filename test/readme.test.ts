import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { startApp } from './support/app.ts';
import { codeBlocks, readPage, tableRows } from './support/markdown.ts';
import { startProgram } from './support/programs.ts';
import { startTcpProxy } from './support/tcp-proxy.ts';

const readme = readPage('README.md');

describe('the README', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp({ sandbox: { tokensPerSecond: 200 } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('has at most 350 lines', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(350);
  });

  test("shows the query's real answer", async () => {
    const [query = ''] = codeBlocks(readme, 'graphql');
    const [answer = ''] = codeBlocks(readme, 'json');
    expect(await app.run(query)).toEqual(JSON.parse(answer));
  });

  test('shows a client that prints every token once, although its connection breaks', async () => {
    expect(codeBlocks(readme, 'ts')).toEqual([readPage('docs/examples/watch-chat.ts')]);
    const proxy = await startTcpProxy(app.url);
    const program = startProgram(['node', 'docs/examples/watch-chat.ts', proxy.url.replace('http:', 'ws:')]);
    await program.waitForOutput(/\w{3}/);
    proxy.cut();
    expect([await program.exited, program.stderr]).toEqual([{ code: 0, signal: null }, '']);
    expect(proxy.connections).toBe(2);
    const { data } = await app.run(`{ generations { edges { node {
      status output { ... on ChatCompletion { choices { message { content } } } }
    } } } }`);
    expect(data).toEqual({
      generations: {
        edges: [
          { node: { status: 'SUCCEEDED', output: { choices: [{ message: { content: program.output } }] } } },
        ],
      },
    });
  });

  test('shows a client that retries when its connection breaks during the handshake', async () => {
    // First the reply to the upgrade request, then the first message.
    const moments = [/101 Switching/, /connection_ack/];
    const shouldCut = (reply: string) => moments[cuts.length]?.test(reply) === true && cuts.push(reply) > 0;
    const cuts: string[] = [];
    const proxy = await startTcpProxy(app.url, { shouldCut });
    const program = startProgram(['node', 'docs/examples/watch-chat.ts', proxy.url.replace('http:', 'ws:')]);
    await program.waitForOutput(/\w{3}/);
    cuts.length = 0;
    proxy.cut();
    expect([await program.exited, program.stderr]).toEqual([{ code: 0, signal: null }, '']);
    expect(cuts).toHaveLength(2);
  });

  test('lists the most used settings with their defaults', () => {
    const defaults = new Map(Object.entries(loadConfig({})).map(([name, value]) => [name, String(value)]));
    const rows = tableRows(readme, '## Settings');
    expect(rows.length).toBeGreaterThan(5);
    for (const [names = '', values = ''] of rows) {
      const listed = names.split(', ').map((name) => defaults.get(name.replaceAll('`', '')) ?? 'unset');
      expect([names, values.replaceAll('`', '')]).toEqual([names, listed.join(', ')]);
    }
  });

  test('groups its links by their reader', () => {
    const [, links = ''] = readme.split('\n## Links\n');
    const groups = links.split(/^### /m).slice(1);
    expect(groups.map((group) => group.split('\n')[0])).toEqual([
      'For front ends',
      'For operators',
      'For routers',
      'About the project',
    ]);
    const counts = groups.map((group) => group.split('\n').filter((line) => line.startsWith('| [')).length);
    for (const count of counts) expect(count).toBeGreaterThanOrEqual(3);
    for (const count of counts) expect(count).toBeLessThanOrEqual(12);
  });
});
