import { expect, onTestFinished, test } from 'vitest';
import { startApp } from '../support/app.ts';
import {
  buildPlayground,
  openPage,
  say,
  startPlayground,
  usePlayground,
  waitForCount,
} from '../support/playground.ts';
import { startScriptedGateway, words as pieces } from '../support/scripted-gateway.ts';

const site = usePlayground();
/** For a reply that does not end before the test has stopped it. */
const counting = 'Please count to 5000';

test('the first visit says in one sentence what the page shows, and starts a chat with one click', async () => {
  const { page, complaints } = await site.open('/');
  expect(await page.locator('.welcome p').innerText()).toMatch(/^[^.]+\.$/);
  await page.getByRole('button', { name: 'Tell me a story' }).click();
  expect(await waitForCount(page)).toBe('0 cuts, 0 characters lost, 1 request paid');
  expect(page.url()).toMatch(/\/chat\/generation_[\w-]+$/);
  // For screen readers.
  const names = ['You', 'Reply of gpt-4o'].map((name) =>
    page.getByRole('group', { name, exact: true }).count(),
  );
  expect(await Promise.all(names)).toEqual([1, 1]);
  expect(complaints).toEqual([]);
});

test('a plug pulled five times and a reload lose no character, and one request is paid', async () => {
  const gateway = await startScriptedGateway();
  const playground = await buildPlayground();
  await using app = await startApp({
    gatewayUrl: gateway.url,
    env: { PLAYGROUND: 'on' },
    overrides: { playground },
  });
  const { page, complaints } = await openPage(site.browser, app.app.url);
  await page.getByLabel('API key of the gateway').fill('sk-mine');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await say(page, 'Tell me');
  const exchange = await gateway.exchange(0);
  const reply = page.locator('.reply .markdown');
  const words = ['one', ' two', ' three', ' four', ' five'];
  for (const [index, word] of words.entries()) {
    exchange.send(...pieces(word));
    await expect.poll(() => reply.innerText()).toBe(words.slice(0, index + 1).join(''));
    await page.getByRole('button', { name: 'Pull the plug' }).click();
    await expect.poll(() => page.locator('.plug output').innerText()).toContain(`${index + 1} cut`);
  }
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByLabel('API key of the gateway').fill('sk-mine');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => reply.innerText()).toBe(words.join(''));
  exchange.send(...pieces(' end'), '[DONE]');
  exchange.end();
  expect(await waitForCount(page)).toBe('6 cuts, 0 characters lost, 1 request paid');
  expect(await reply.innerText()).toBe('one two three four five end');
  expect(gateway.requests).toHaveLength(1);
  expect(complaints).toEqual([]);
});

test('a reload before the first token goes on with the same request, which is paid once', async () => {
  const { page } = await site.open('/');
  const before = site.chatPosts;
  await page.getByText('Model and parameters').click();
  await page.getByLabel('Model', { exact: true }).fill('fault-slow');
  await say(page, 'Say exactly: once');
  await expect.poll(() => site.chatPosts - before).toBe(1);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => page.locator('.reply').innerText()).toContain('once');
  expect(await waitForCount(page)).toBe('1 cut, 0 characters lost, 1 request paid');
  expect(site.chatPosts - before).toBe(1);
});

test('a stopped chat is continued, answered again, left and found again', async () => {
  const { page, complaints } = await site.open('/');
  await say(page, counting);
  await expect.poll(() => page.locator('.reply').innerText()).toContain('20');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('.turn footer').getByText('stopped').waitFor();
  await say(page, 'Say exactly: the second turn');
  await page.locator('.reply').nth(1).getByText('the second turn').waitFor();
  await waitForCount(page);
  const { data } = await site.api.run(`{ generations(first: 1) { edges { node { thread { id } } } } }`);
  expect(data).toMatchObject({ generations: { edges: [{ node: { thread: [{}, {}] } }] } });
  await page.getByRole('button', { name: 'Another answer' }).last().click();
  await page.getByText('2 of 2').waitFor();
  await waitForCount(page);
  await page.getByRole('button', { name: 'Previous branch' }).click();
  await page.getByText('1 of 2').waitFor();
  // The branches are recorded.
  await page.reload();
  await page.getByText('1 of 2').waitFor();
  expect(await page.locator('.prompt').allInnerTexts()).toEqual([counting, 'Say exactly: the second turn']);
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await page.getByText('A chat that survives its connection').waitFor();
  expect(await page.locator('.turn').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('another answer after a reload has the parameters of the first one, and in another browser its system message', async () => {
  const { page, complaints } = await site.open('/');
  await page.getByText('Model and parameters').click();
  await page.getByLabel('System message').fill('Answer as a pirate.');
  await page.locator('.composer summary').nth(1).click();
  await page.getByLabel('Temperature').fill('0.5');
  await say(page, 'Say exactly: aye');
  await waitForCount(page);
  await page.reload();
  await page.getByRole('button', { name: 'Another answer' }).click();
  await page.getByText('2 of 2').waitFor();
  await waitForCount(page);
  const { page: other } = await site.open(new URL(page.url()).pathname);
  await other.getByText('2 of 2').waitFor();
  await other.getByRole('button', { name: 'Another answer' }).click();
  await other.getByText('3 of 3').waitFor();
  await waitForCount(other);
  const { data } = await site.api.run('{ generations(first: 3) { edges { node { input } } } }');
  const messages = [
    { role: 'system', content: 'Answer as a pirate.' },
    { role: 'user', content: 'Say exactly: aye' },
  ];
  const again = { node: { input: { messages, temperature: 0.5 } } };
  expect(data).toMatchObject({ generations: { edges: [{ node: { input: { messages } } }, again, again] } });
  expect(complaints).toEqual([]);
});

test('the bar with the stop button stays where it is while the reply grows, and its end stays in view', async () => {
  const { page } = await site.open('/');
  await say(page, 'Please count to 4000');
  const stop = page.getByRole('button', { name: 'Stop' });
  await stop.waitFor();
  const before = await stop.boundingBox();
  const readScroll = () => page.evaluate<number>('scrollY');
  await expect.poll(readScroll).toBeGreaterThan(300);
  expect(await stop.boundingBox()).toEqual(before);
  const isEndShown = 'innerHeight + scrollY >= document.documentElement.scrollHeight - 2';
  await expect.poll(() => page.evaluate(isEndShown)).toBe(true);
  // A reader who scrolls up stays there.
  await page.mouse.wheel(0, -200);
  await expect.poll(() => page.evaluate(isEndShown)).toBe(false);
  const read = await readScroll();
  const length = await page.locator('.reply').innerText();
  await expect.poll(() => page.locator('.reply').innerText()).not.toBe(length);
  expect(await readScroll()).toBe(read);
  // The second click of a double click on Send would stop the reply.
  await stop.dispatchEvent('click', { detail: 2 });
  expect(await stop.isVisible()).toBe(true);
  await stop.click();
  await page.locator('.turn footer').getByText('stopped').waitFor();
});

test('a press of Stop while the reply ends does not send the next message', async () => {
  const { page } = await site.open('/');
  await say(page, counting);
  const stop = page.getByRole('button', { name: 'Stop' });
  await stop.waitFor();
  const posts = site.chatPosts;
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Say exactly: next');
  await stop.hover();
  await page.mouse.down();
  const { data } = await site.api.run<{ generations: { edges: { node: { id: string } }[] } }, object>(
    '{ generations(first: 1) { edges { node { id } } } }',
  );
  const by = { id: data?.generations.edges[0]?.node.id };
  await site.api.run('mutation ($by: GenerationSelector!) { cancelGeneration(by: $by) { __typename } }', {
    by,
  });
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await send.waitFor();
  await page.mouse.up();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Message', exact: true }).inputValue())
    .toBe('Say exactly: next');
  await send.click();
  await page.locator('.reply').nth(1).getByText('next').waitFor();
  expect([site.chatPosts - posts, await page.locator('.reply').count()]).toEqual([1, 2]);
});

test('images of a message are sent, and shown again after a reload', async () => {
  const { page, complaints } = await site.open('/');
  const { data } = await site.api.run<{ createImage: { assets: { url: string }[] } }, object>(
    `mutation { createImage(input: { byResolution: { model: "seedream-4", prompt: "A buoy" } }) { ... on Generation { assets { url } } } }`,
  );
  const url = String(data?.createImage.assets[0]?.url);
  await page.getByText('Model and parameters').click();
  await page.getByLabel('Addresses of images').fill(url);
  await say(page, 'Say exactly: seen');
  await waitForCount(page);
  const image = page.locator('.prompt img');
  expect(await image.getAttribute('src')).toBe(url);
  await page.reload();
  await page.locator('.reply').getByText('seen').waitFor();
  expect(await image.getAttribute('src')).toBe(url);
  const readWidth = (element: HTMLImageElement) => element.naturalWidth;
  await expect.poll(() => image.evaluate(readWidth)).toBeGreaterThan(0);
  expect(await page.locator('.prompt').innerText()).toBe('Say exactly: seen');
  expect(complaints).toEqual([]);
});

test('a connection that the server ends for good is told with its reason and with what to do', async () => {
  const { page, context } = await site.open('/usage');
  await context.routeWebSocket(/graphql/, (socket) => {
    void socket.close({ code: 4400, reason: 'This page is too old.' });
  });
  await page.goto(`${site.app.url}/gallery`);
  const alert = page.locator('.top').getByRole('alert');
  await alert.getByText('The server has ended the connection. This page is too old.').waitFor();
  expect(await page.getByRole('status').first().innerText()).toBe('Offline');
  await alert.getByRole('button', { name: 'Reload the page' }).click();
  await alert.waitFor();
});

test('two models answer one message side by side, in columns', async () => {
  const { page } = await site.open('/');
  const before = site.chatPosts;
  await page.getByText('Model and parameters').click();
  await page.getByLabel('A second model, side by side').fill('o3-high');
  await say(page, 'Say exactly: both');
  await expect.poll(() => page.locator('.side-by-side .reply').allInnerTexts()).toEqual(['both', 'both']);
  await waitForCount(page);
  expect(site.chatPosts - before).toBe(2);
  const boxes = await Promise.all(
    (await page.locator('.side-by-side .turn').all()).map((turn) => turn.boundingBox()),
  );
  expect(boxes[0]?.y).toBe(boxes[1]?.y);
});

test('reasoning is folded, parameters of the schema are sent, and a refused chat says what to do', async () => {
  const { page } = await site.open('/');
  await page.getByText('Model and parameters').click();
  await page.getByLabel('Model', { exact: true }).fill('gpt-4o-thinking');
  await page.getByLabel('System message').fill('Be kind.');
  await page.locator('.composer summary').nth(1).click();
  await page.getByLabel('Temperature').fill('0.5');
  await say(page, 'Say exactly: thought');
  await waitForCount(page);
  expect(await page.locator('.reply details').evaluate((details) => details.hasAttribute('open'))).toBe(
    false,
  );
  const { data } = await site.api.run('{ generations(first: 1) { edges { node { input } } } }');
  expect(data).toMatchObject({
    generations: {
      edges: [{ node: { input: { temperature: 0.5, messages: [{ role: 'system' }, { role: 'user' }] } } }],
    },
  });
  await page.getByLabel('Model', { exact: true }).fill('fault-quota');
  await say(page, 'Hello');
  await page.locator('.notice').getByText('The quota is used up. Add some, then try again.').waitFor();
  // The conversation goes on with the last reply.
  await page.getByLabel('Model', { exact: true }).fill('gpt-4o');
  await say(page, 'Say exactly: third');
  await page.locator('.reply').nth(2).getByText('third').waitFor();
  const thread = await site.api.run('{ generations(first: 1) { edges { node { thread { id } } } } }');
  expect(thread.data).toMatchObject({ generations: { edges: [{ node: { thread: [{}, {}] } }] } });
});

test('hostile Markdown neither runs, nor asks another host, nor changes the page', async () => {
  const { page, complaints } = await site.open('/');
  const hostile = [
    'Say exactly: <script>document.title="taken"</script><img src=https://evil.invalid/a onerror="document.title=\'taken\'">',
    '![a picture](https://evil.invalid/b.png) [a link](javascript:document.title="taken")',
    '<style>body{display:none}</style><a href="https://example.com" onclick="document.title=\'taken\'">in</a>',
    '<iframe src="https://evil.invalid"></iframe><form action="/graphql"><button>send</button></form>',
    '<svg><script>document.title="taken"</script></svg><table background="https://evil.invalid/c"><tr><td>end</td></tr></table>',
    '[out](https://example.com)',
  ];
  await say(page, hostile.join('\n\n'));
  await waitForCount(page);
  const reply = page.locator('.reply .markdown');
  await reply.getByText('end').waitFor();
  expect(await reply.locator('script, img, style, iframe, form, svg, [background], [onclick]').count()).toBe(
    0,
  );
  const links = await reply
    .locator('a')
    .evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.getAttribute('rel')].join(' ')));
  expect(links.filter((link) => link.startsWith('javascript:'))).toEqual([]);
  expect(links.at(-1)).toBe('https://example.com noopener noreferrer nofollow');
  expect([await page.title(), await page.getByText('Model and parameters').isVisible()]).toEqual([
    'Chat · Gengraph',
    true,
  ]);
  expect(complaints).toEqual([]);
});

test('a very long word, very many marks and an item of very many lines leave the page usable', async () => {
  const gateway = await startScriptedGateway();
  await using app = await startApp({
    gatewayUrl: gateway.url,
    env: { PLAYGROUND: 'on' },
    overrides: { playground: await buildPlayground() },
  });
  const { page, complaints } = await openPage(site.browser, app.app.url);
  await page.getByLabel('API key of the gateway').fill('sk-mine');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await say(page, 'Tell me');
  const exchange = await gateway.exchange(0);
  const long = ['*a**b'.repeat(40_000), '*_~'.repeat(65_000), `- item\n${'  line\n'.repeat(14_000)}`];
  for (const text of long) exchange.send(...pieces(`${text}\n\n`));
  const odd = [`http://a.b/${'?!'.repeat(1000)}`, 'http://a.b/c', 'one@a.b', 'Title\n===', '> end'];
  exchange.send(...pieces(odd.join('\n\n')), '[DONE]');
  exchange.end();
  await waitForCount(page);
  expect(await page.locator('.markdown blockquote').innerText()).toBe('end');
  const special = page.locator('.markdown :is(a, h1)');
  expect(await special.allInnerTexts()).toEqual(['http://a.b/c', 'one@a.b', 'Title']);
  expect(complaints).toEqual([]);
});

test('a conversation of thirty turns opens at its last one and goes on', async () => {
  const app = await startPlayground({ SANDBOX_TOKENS_PER_SECOND: '100000' });
  onTestFinished(() => app.close());
  const ask = async (text: string, continueFrom?: string): Promise<string> => {
    const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text } }], continueFrom };
    const query =
      'mutation ($input: ChatInput!) { createChatCompletion(input: $input) { ... on Generation { id } } }';
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer sk-sandbox' },
      body: JSON.stringify({ query, variables: { input } }),
    });
    const { data } = (await response.json()) as { data: { createChatCompletion: { id: string } } };
    return data.createChatCompletion.id;
  };
  let id: string | undefined;
  for (let turn = 1; turn <= 30; turn += 1) id = await ask(`Say exactly: turn ${turn}`, id);
  const { page, complaints } = await openPage(site.browser, `${app.url}/chat/${id}`);
  await page.locator('.reply').getByText('turn 30').waitFor();
  expect(await page.locator('.turn').count()).toBe(30);
  await say(page, 'Say exactly: turn 31');
  await page.locator('.reply').getByText('turn 31').waitFor();
  await expect.poll(() => page.locator('.prompt').last().isVisible()).toBe(true);
  expect(complaints).toEqual([]);
});
