import { beforeEach, expect, test } from 'vitest';
import { createQueues } from '../../src/lib/fairness/queues.ts';
import { skipWithoutBrowser } from '../support/browser.ts';
import { type Disturbance, disturbances, type Run } from './support/disturbances.ts';
import { frontendRuns, skipWithoutFrameworks } from './support/frameworks.ts';
import { type Kit, kits } from './support/kits.ts';
import { readRecordedChats } from './support/recorded-chats.ts';
import { ReplyTab } from './support/reply-tab.ts';
import { type Host, startHost } from './support/site.ts';
import { useTabs } from './support/tabs.ts';

const openTab = useTabs();

beforeEach((context) => {
  skipWithoutBrowser(context);
  skipWithoutFrameworks(context);
});

/** Pages that load or act at the same time. */
const queue = createQueues(12);
/** Runs of a cell at the same time. */
const runsAtOnce = 5;

interface Cells {
  readonly what: string;
  readonly kit: string;
  /** @returns what is wrong */
  readonly run: () => Promise<readonly string[]>;
}

function kitsFor({ fits }: Disturbance): readonly Kit[] {
  return kits.filter((kit) => fits?.(kit) ?? true);
}

/** Most of the time of a cell is waiting, so all cells together take little longer than one. */
const together: Cells = {
  what: 'each disturbance',
  kit: 'each kit',
  async run() {
    const groups = disturbances.map((disturbance) => runTogether(disturbance, kitsFor(disturbance)));
    return (await Promise.all(groups)).flat();
  },
};

const oneByOne = disturbances.flatMap((disturbance) =>
  kitsFor(disturbance).map((kit): Cells => ({
    what: disturbance.what,
    kit: kit.name,
    async run() {
      const faults: string[] = [];
      for (let done = 0; done < frontendRuns; done += runsAtOnce) {
        const runs = Math.min(runsAtOnce, frontendRuns - done);
        faults.push(...(await runTogether(disturbance, Array(runs).fill(kit))));
      }
      return faults;
    },
  })),
);

test.for(frontendRuns > 1 ? oneByOne : [together])(
  'a chat is one reply, equal to the record and paid for once, after $what, with $kit',
  { timeout: 600_000 },
  async ({ run }) => {
    expect(await run()).toEqual([]);
  },
);

/** One program with a page of each of these kits. @returns what is wrong */
async function runTogether(disturbance: Disturbance, group: readonly Kit[]): Promise<readonly string[]> {
  const { what, isProcess = false, env = {}, sandbox, act, strike, after } = disturbance;
  const host = await startHost({ isProcess, env, sandbox: { tokensPerSecond: 60, ...sandbox } });
  const faults: string[] = [];
  const started = await Promise.all(
    group.map((kit, index) =>
      queue('pages', async () => {
        try {
          const run = await startRun({ host, disturbance, kit, index });
          await act(run);
          return run;
        } catch (error) {
          faults.push(`${kit.name}, ${what}: ${String(error)}`);
          return undefined;
        }
      }),
    ),
  );
  await strike?.(host);
  await Promise.all(
    started.map((run) =>
      queue('pages', async () => {
        if (!run) return;
        try {
          await after?.(run);
          await expectOneReply(run, disturbance);
        } catch (error) {
          faults.push(`${run.kit.name}, ${what}: ${String(error)}`);
        }
      }),
    ),
  );
  return faults;
}

interface Start {
  readonly host: Host;
  readonly disturbance: Disturbance;
  readonly kit: Kit;
  readonly index: number;
}

interface StartedRun extends Run {
  /** In the console, and those that nobody caught. */
  readonly errors: readonly string[];
  readonly close: () => Promise<void>;
}

async function startRun({ host, disturbance, kit, index }: Start): Promise<StartedRun> {
  const { usesTool = false, question = 'count to 40' } = disturbance;
  const page = usesTool ? kit.toolPage : kit.pages[index % kit.pages.length];
  const { url, network } = await host.visit(page ?? '', await kit.files?.());
  // Names the chat among those of the program.
  const asked = `${question} (chat ${String.fromCodePoint(97 + index)})`;
  // For pages that keep their chats in one.
  const conversation = `chat-${index}`;
  const opened = await openTab(new URL(`?chat=${conversation}`, url).href);
  const tab = new ReplyTab({ kit, page: opened.page, context: opened.context, question: asked });
  await tab.page.getByLabel(kit.field).waitFor();
  await tab.forbidSecondReply();
  const requests = () =>
    host.sandbox.activity
      .requests('/v1/chat/completions')
      .filter(({ body }) => JSON.stringify(body).includes(asked));
  return {
    kit,
    network,
    tab,
    posts: () => requests().length,
    readGatewayState: () => requests().map(({ state }) => state),
    readRecord: async () =>
      (await readRecordedChats(host)).filter(
        ({ prompt, collection }) => prompt === asked || collection === conversation,
      ),
    errors: opened.errors,
    close: () => opened.context.close(),
  };
}

const statuses = { completed: 'SUCCEEDED', canceled: 'CANCELED', failed: 'FAILED' };

async function expectOneReply(run: StartedRun, { end = 'completed', usesTool = false }: Disturbance) {
  const { kit, tab, posts, readRecord, errors, close } = run;
  // A page that answers a call asks again.
  const expected = Array.from({ length: usesTool && !kit.showsCalls ? 2 : 1 }, () => statuses[end]);
  const readStatuses = async () => (await readRecord()).map(({ status }) => status);
  await expect.poll(readStatuses).toEqual(expected);
  const record = await readRecord();
  const texts = record.map(({ content, calls }) => content + (kit.showsCalls ? calls : ''));
  await expect.poll(() => tab.text()).toBe(texts.join(''));
  await tab.waitForEnd(end === 'failed' && !kit.showsOldEnds ? 'completed' : end);
  expect(posts()).toBe(expected.length);
  await close();
  // The browser reports each connection that fails.
  expect(errors.filter((error) => !/WebSocket|ERR_/.test(error))).toEqual([]);
}
