import { expect } from 'vitest';
import { frontendRuns } from './frameworks.ts';
import type { EndStatus, Kit } from './kits.ts';
import type { RecordedChat } from './recorded-chats.ts';
import type { ReplyTab } from './reply-tab.ts';
import type { Host, HostOptions, Network } from './site.ts';

/** A chat in a page, and what it became. */
export interface Run {
  readonly kit: Kit;
  readonly network: Network;
  readonly tab: ReplyTab;
  /** How many chats the gateway was asked for, for this one. */
  readonly posts: () => number;
  /** What became of its requests at the gateway. */
  readonly readGatewayState: () => readonly string[];
  readonly readRecord: () => Promise<readonly RecordedChat[]>;
}

export interface Disturbance extends HostOptions {
  readonly what: string;
  /** @default all */
  readonly fits?: (kit: Kit) => boolean;
  /** @default a reply of 40 numbers */
  readonly question?: string;
  /** Whether the page is the one with a tool. @default false */
  readonly usesTool?: boolean;
  /** Sends the question, and disturbs the page. */
  readonly act: (run: Run) => Promise<void>;
  /** Then happens to all pages of a program at once. */
  readonly strike?: (host: Host) => Promise<void>;
  readonly after?: (run: Run) => Promise<void>;
  /** @default completed */
  readonly end?: EndStatus;
}

/** For a reply that does not end by itself before the test has acted. */
const long = 'count to 5000';
/** A part of each reply. */
const someText = /5/;

async function askAndRead({ tab }: Run): Promise<void> {
  await tab.ask();
  await tab.waitForText(someText);
}

export const disturbances: readonly Disturbance[] = [
  {
    what: 'a connection that dies without closing',
    // Still running when the page notices.
    question: 'count to 400',
    async act(run) {
      await askAndRead(run);
      const before = run.network.connections;
      run.network.freeze();
      if (frontendRuns > 1) await run.tab.page.waitForTimeout(30_000);
      // The page gives the dead connection up and tries another one.
      else
        await expect
          // On a busy machine, the reply may have ended before.
          .poll(async () => run.network.connections > before || /\b400\b/.test(await run.tab.text()))
          .toBe(true);
      run.network.thaw();
    },
  },
  {
    what: 'a reload before the first byte',
    async act({ tab, network, posts }) {
      network.delay(200);
      await tab.ask();
      await expect.poll(posts).toBe(1);
      network.delay(0);
      await tab.reload();
    },
  },
  {
    what: 'a reload before the message is sent',
    async act({ tab, network }) {
      network.refuse();
      await tab.ask();
      network.accept();
      await tab.reload();
    },
  },
  {
    what: 'two reloads in mid-text',
    async act(run) {
      await askAndRead(run);
      await run.tab.reload();
      await run.tab.waitForText(someText);
      await run.tab.reload();
    },
  },
  {
    what: 'a reload in mid-tool-call',
    fits: ({ toolPage }) => toolPage !== undefined,
    usesTool: true,
    question: 'What is the weather in Rome?',
    sandbox: { tokensPerSecond: 20 },
    async act({ tab, kit, posts }) {
      await tab.ask();
      if (kit.showsCalls) await tab.waitForText(/"/);
      else await tab.page.locator('pre').waitFor();
      await tab.reload();
      // The page has answered the call.
      if (!kit.showsCalls) await expect.poll(posts).toBe(2);
    },
  },
  {
    what: 'a reload of a page that stops its chat when it is left',
    // Only useChat itself aborts its requests then.
    fits: ({ showsCalls }) => !showsCalls,
    async act(run) {
      await askAndRead(run);
      await run.tab.page.evaluate(`
        const stop = [...document.querySelectorAll('button')].find((button) => button.textContent === 'Stop');
        for (const type of ['beforeunload', 'pagehide', 'visibilitychange'])
          addEventListener(type, () => stop.click(), { capture: true });
      `);
      await run.tab.reload();
    },
  },
  {
    what: 'a stop, and a reload after it',
    question: long,
    end: 'canceled',
    async act(run) {
      await askAndRead(run);
      const stoppedAt = await run.tab.stop();
      await run.tab.waitForEnd('canceled');
      const readStatus = async () => (await run.readRecord())[0]?.status;
      // Recorded before the page shows it, and stopped at the gateway.
      if (run.kit.showsStopFirst) await expect.poll(readStatus).toBe('CANCELED');
      else expect(await readStatus()).toBe('CANCELED');
      const [chat] = await run.readRecord();
      await expect.poll(run.readGatewayState).toEqual(['aborted']);
      // Alone on its machine.
      if (frontendRuns > 1) expect(Number(chat?.finishedAt) - stoppedAt).toBeLessThan(1000);
      await run.tab.reload();
    },
  },
  {
    what: 'three cut connections',
    async act(run) {
      await askAndRead(run);
      for (const number of [15, 25]) {
        run.network.cut();
        await run.tab.waitForText(new RegExp(`\\b${number}\\b`));
      }
      run.network.cut();
    },
  },
  {
    what: 'a server that is killed',
    isProcess: true,
    question: long,
    end: 'failed',
    act: askAndRead,
    async strike(host) {
      await host.crash();
      await host.restart();
    },
    async after({ tab, readRecord }) {
      await tab.waitForEnd('failed');
      const [chat] = await readRecord();
      // The record may lack the end of what was shown.
      expect((await tab.text()).startsWith(chat?.content ?? '-')).toBe(true);
      await tab.reload();
    },
  },
  {
    what: 'a server that restarts',
    isProcess: true,
    env: { SHUTDOWN_SECONDS: '20' },
    act: askAndRead,
    async strike(host) {
      await host.shutDown();
      await host.restart();
    },
  },
  {
    what: 'a double click',
    act: ({ tab }) => tab.ask((page) => page.getByRole('button', { name: 'Send' }).dblclick()),
  },
  {
    what: 'a second tab',
    async act(run) {
      await askAndRead(run);
      const second = await run.tab.openSecond();
      await second.waitForText(/\b40\b/);
      await second.waitForEnd('completed');
      await expect.poll(() => second.text()).toBe(await textAtEnd(run));
    },
  },
];

async function textAtEnd({ tab }: Run): Promise<string> {
  await tab.waitForEnd('completed');
  return tab.text();
}
