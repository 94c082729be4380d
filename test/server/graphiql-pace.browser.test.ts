import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { launchBrowser, openEditor, skipWithoutBrowser } from '../support/browser.ts';

beforeEach(skipWithoutBrowser);

test('GraphiQL renders at most 20 results of a stream a second, and the last one', async () => {
  await using app = await startApp({ sandbox: { tokensPerSecond: 100 } });
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  await using editor = await openEditor({ browser, url: app.url });
  await editor.openTab('StreamChat');
  const messages = [{ role: 'USER', content: { text: 'Count to 300.' } }];
  await editor.type('Variables', JSON.stringify({ input: { model: 'gpt-4o', messages } }));
  await editor.type('Headers', '{ "Authorization": "Bearer sk-sandbox" }');
  await editor.page.evaluate(`(() => {
    const model = monaco.editor.getModels().find(({ uri }) => uri.path.endsWith('response.json'));
    self.renderedAt = [];
    model.onDidChangeContent(() => {
      if (model.getValue()) self.renderedAt.push(performance.now());
    });
  })()`);
  await editor.play();
  await editor.waitFor('Result', /"__typename": "ChatCompleted"/);
  const times = await editor.page.evaluate<readonly number[]>('self.renderedAt');
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  // The last delta and the end come without a pause.
  expect(times.length).toBeLessThanOrEqual(20 * seconds + 3);
  expect(times.length).toBeGreaterThan(10);
});
