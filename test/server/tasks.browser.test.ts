import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { type Editor, launchBrowser, openEditor } from '../support/browser.ts';

const chromium = inject('chromium');
const artifacts = resolve(import.meta.dirname, '../artifacts');

/** The pane may wrap a long id. */
function taskIdIn(text: string): string {
  return /"task":\{"id":"(task_[\w-]+)"/.exec(text.replaceAll(/\s/g, ''))?.[1] ?? '';
}

describe.skipIf(chromium === undefined)('tasks in a browser', () => {
  const resources = new AsyncDisposableStack();
  let app: App;
  let browser: Browser;
  let editor: Editor;
  beforeAll(async () => {
    const env = {
      PORT: '0',
      SANDBOX_PORT: '0',
      SANDBOX_TASK_SECONDS: '3',
      TASK_POLL_SECONDS: '0.3',
      LOG_LEVEL: 'silent',
    };
    app = await createApp(loadConfig({ ...env, DATA_DIR: ':memory:', SHUTDOWN_SECONDS: '1' }));
    resources.defer(() => app.close());
    browser = await launchBrowser(chromium ?? '');
    resources.defer(() => browser.close());
    editor = await openEditor({ browser, url: `${app.url}/graphql` });
  });
  afterAll(() => resources.disposeAsync());

  test('progress to their end under tasksProgress, and the image opens', async () => {
    await editor.openTab('QueueImage');
    await editor.play();
    const id = taskIdIn(await editor.waitFor('Result', /"tracking": "POLLED"/));
    expect(id).toMatch(/^task_/);
    await editor.openTab('TasksProgress');
    await editor.type('Variables', JSON.stringify({ ids: [id] }));
    const shown = await editor.watch('Result');
    await editor.play();
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
