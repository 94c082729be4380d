import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import {
  type Editor,
  hasBrowser,
  launchBrowser,
  openEditor,
  skipWithoutBrowser,
} from '../support/browser.ts';

const artifacts = resolve(import.meta.dirname, '../artifacts');

/** The pane may wrap a long id. */
function taskIdIn(text: string): string {
  return /"task":\{"id":"(task_[\w-]+)"/.exec(text.replaceAll(/\s/g, ''))?.[1] ?? '';
}

describe('tasks in a browser', () => {
  const resources = new AsyncDisposableStack();
  /** The sandbox's time: its task ends when the test moves it. */
  let now = Date.now();
  let browser: Browser;
  let editor: Editor;
  beforeAll(async () => {
    if (!hasBrowser) return;
    const app = resources.use(
      await startApp({
        sandbox: { taskSeconds: 3, clock: () => now },
        env: { TASK_POLL_SECONDS: '0.3' },
      }),
    );
    browser = await launchBrowser();
    resources.defer(() => browser.close());
    editor = await openEditor({ browser, url: app.url, mediaOrigin: app.sandbox.url });
  });
  afterAll(() => resources.disposeAsync());
  beforeEach(skipWithoutBrowser);

  test('progress to their end under tasksProgress, and the image opens', async () => {
    const headers = '{ "Authorization": "Bearer sk-sandbox" }';
    await editor.openTab('QueueImage');
    await editor.type('Headers', headers);
    await editor.play();
    const id = taskIdIn(await editor.waitFor('Result', /"tracking": "POLLED"/));
    expect(id).toMatch(/^task_/);
    await editor.openTab('TasksProgress');
    await editor.type('Variables', JSON.stringify({ ids: [id] }));
    await editor.type('Headers', headers);
    const shown = await editor.watch('Result');
    await editor.play();
    await editor.waitFor('Result', /"status": "(QUEUED|RUNNING)"/);
    now += 3000;
    const done = await editor.waitFor('Result', /"status": "SUCCEEDED"/);
    await editor.page.screenshot({ path: `${artifacts}/graphiql-tasks.png` });
    const statuses = (await shown()).flatMap((text) => /"status":\s*"(\w+)"/.exec(text)?.[1] ?? []);
    expect(new Set(statuses)).toEqual(
      new Set([...statuses.filter((status) => /^(QUEUED|RUNNING)$/.test(status)), 'SUCCEEDED']),
    );
    expect(new Set(statuses).size).toBeGreaterThan(1);
    const address = /"url":"(http:[^"]+)"/.exec(done.replaceAll(/\s/g, ''))?.[1] ?? '';
    const page = await browser.newPage();
    await page.goto(address);
    const size = await page
      .locator('img')
      .evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
    expect(size).toEqual([1024, 768]);
    await page.screenshot({ path: `${artifacts}/queued-image.png` });
    expect(editor.complaints).toEqual([]);
  });
});
