import { expect, onTestFinished, test } from 'vitest';
import { chatId, userMessage } from '../support/conversations.ts';
import { openPage, say, startPlayground, usePlayground, waitForCount } from '../support/playground.ts';
import { mint, signInBySecret } from '../support/sign-in.ts';

const site = usePlayground({ SANDBOX_TOKENS_PER_SECOND: '2000' });
const phone = { viewport: { width: 390, height: 844 } };

test.each([
  ['quotes', '> '],
  ['lists', '- '],
])('a reply of %s inside of each other is shown as text, and the page stays usable', async (_name, mark) => {
  const { page, complaints } = await site.open('/');
  await say(page, `Say exactly: ${mark.repeat(3000)}deep`);
  await waitForCount(page);
  expect(await page.locator('.reply :is(blockquote, ul)').count()).toBe(0);
  await say(page, 'Say exactly: > one\n> > two');
  await page.locator('.reply blockquote blockquote').getByText('two').waitFor();
  expect(complaints).toEqual([]);
});

test('a reply of emphasis inside of each other leaves the page usable', async () => {
  const { page, complaints } = await site.open('/');
  await say(page, `Say exactly: ${'*a **b '.repeat(1200)}deep${' b** a*'.repeat(1200)}`);
  await waitForCount(page);
  expect(await page.locator('.reply').innerText()).toContain('deep');
  await say(page, 'Say exactly: **one** ~~two~~');
  await page.locator('.reply strong', { hasText: 'one' }).waitFor();
  expect(await page.locator('.reply :is(strong, del)').allInnerTexts()).toEqual(['one', 'two']);
  expect(complaints).toEqual([]);
});

test('a reply of very many lines in one paragraph, some of them with emphasis, leaves the page usable', async () => {
  const text = `Say exactly: ${'**one** two\n'.repeat(70)}${'line\n'.repeat(3500)}end`;
  const id = await chatId(site.api, { messages: [userMessage(text)] });
  const { page, complaints } = await site.open(`/g/${id}`);
  await expect.poll(() => page.locator('.markdown br').count()).toBe(3570);
  expect(await page.locator('.markdown strong').count()).toBe(70);
  expect(complaints).toEqual([]);
});

test('a list of tasks in a reply shows what is done, and a long line of code leaves a phone its width', async () => {
  const { page } = await site.open('/', phone);
  await say(page, `Say exactly: - [x] one\n- [ ] two\n\n~~~\n${'code '.repeat(20)}`);
  await waitForCount(page);
  expect(await page.locator('.reply li').allInnerTexts()).toEqual(['☑ one', '☐ two']);
  const edges = [page.locator('.prompt'), page.locator('.reply pre')].map(async (part) => {
    const { x, width } = (await part.boundingBox()) ?? { x: 0, width: 0 };
    return Math.round(x + width);
  });
  // The question is at the right.
  expect(await Promise.all(edges)).toEqual([370, 370]);
});

test('text from right to left begins at the right, and a wide table leaves a phone its width', async () => {
  const { page } = await site.open('/', phone);
  const row = (cell: string) => `|${`${cell}|`.repeat(16)}`;
  await say(page, `Say exactly: שלום עולם\n\n- אחד\n\n${row('a')}\n${row('-')}\n${row('1000')}`);
  await waitForCount(page);
  await page.goto(page.url().replace('/chat/', '/g/'));
  const text = page.locator('.markdown');
  await text.getByText('1000').first().waitFor();
  const directions = text
    .locator('p, ul')
    .evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));
  expect(await directions).toEqual(['rtl', 'rtl']);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('chats and GraphiQL work where the browser forbids storage', async () => {
  const { page, context, complaints } = await site.open('');
  await context.addInitScript(() => {
    const get = (): never => {
      throw new DOMException('Forbidden by the user', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, name, { configurable: true, get });
  });
  await page.goto(site.app.url);
  await say(page, 'Say exactly: kept in memory');
  await page.getByRole('button', { name: 'Pull the plug' }).click();
  expect(await waitForCount(page)).toBe('1 cut, 0 characters lost, 1 request paid');
  await page.goto(`${site.app.url}/graphql`);
  await page.locator('.graphiql-tab-button', { hasText: 'StreamChat' }).waitFor();
  await page.getByRole('button', { name: 'Execute query' }).click();
  await page.locator('.result-window').getByText('streamChat').waitFor();
  expect(complaints).toEqual([]);
});

test('a prompt of 100 KB opens in GraphiQL as it is', async () => {
  const { page } = await site.open('/');
  await say(page, `Say exactly: ${'long '.repeat(20_000)}`);
  await waitForCount(page);
  await page.locator('.chat').getByText('Show me the GraphQL').click();
  const link = await page.getByRole('link', { name: 'Open in GraphiQL' }).getAttribute('href');
  await page.goto(String(link));
  const readVariables = () => page.evaluate<string>("localStorage.getItem('graphiql:variables') ?? ''");
  await expect.poll(async () => (await readVariables()).length).toBeGreaterThan(100_000);
  await expect.poll(() => page.evaluate('location.hash')).toBe('');
});

test('without permission for the clipboard, the text to copy is selected', async () => {
  const { page, complaints } = await site.open('/usage');
  await page.getByText('Show me the GraphQL').click();
  await page.evaluate(() => {
    const refuse = () => Promise.reject(new DOMException('Forbidden by the user', 'NotAllowedError'));
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: refuse } });
  });
  await page.locator('.copy').click();
  await page.getByRole('button', { name: 'Selected' }).waitFor();
  expect(await page.evaluate('String(getSelection())')).toContain('query UsageTotals');
  expect(complaints).toEqual([]);
});

test('the address of nothing says so once, and offers nothing to do with it', async () => {
  const { page } = await site.open('/g/%E0%A4%A');
  await page.getByText('There is no generation with this id.').waitFor();
  expect(await page.getByText('There is no generation with this id.').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  await page.goto(`${site.app.url}/g`);
  await page.getByText('There is nothing at this address.').waitFor();
  expect(await page.title()).toBe('Not found · Gengraph');
  // So does a filter, which can be taken back.
  await page.goto(`${site.app.url}/gallery?kind=NOTHING`);
  await page.getByRole('alert').getByText('"NOTHING"').waitFor();
  expect(await page.getByText('Reading…').count()).toBe(0);
  expect(await page.getByLabel('kind').inputValue()).toBe('NOTHING');
});

test('a conversation, a form and the usage that cannot be read now are read again at a press', async () => {
  const { page, context } = await site.open('/');
  await say(page, 'Say exactly: read later');
  await waitForCount(page);
  let isRefused = true;
  const extensions = { code: 'RECORDS_UNAVAILABLE', retry: 'LATER' };
  const payload = [{ message: 'No records now.', extensions }];
  await context.routeWebSocket(/graphql/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage(async (message) => {
      const { id = '' } = JSON.parse(String(message)) as { readonly id?: string };
      const isRead = /query (Thread|InputSchema|UsageTotals)/.test(String(message));
      if (!isRefused || !isRead) return server.send(message);
      await page.getByText(/^Reading/).waitFor();
      socket.send(JSON.stringify({ id, type: 'error', payload }));
    });
  });
  const views = { [page.url()]: 'read later', '/create/createSong': 'Make it', '/usage': 'Chat' };
  for (const [view, text] of Object.entries(views)) {
    isRefused = true;
    await page.goto(new URL(view, site.app.url).href);
    await page.getByRole('alert').getByText('No records now.').waitFor();
    isRefused = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('main').getByText(text, { exact: true }).first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  }
});

test('a phone shows which family a form is of', async () => {
  const { page } = await site.open('/create/createTransitionVideo', phone);
  await page.getByRole('button', { name: 'Make it' }).waitFor();
  const current = page.locator('.families [aria-current]');
  await expect.poll(() => current.evaluate((link) => link.getBoundingClientRect().right)).toBeLessThan(391);
});

test('a sign-in says that the server is down, and a token that is refused is asked for again at once', async () => {
  const app = await startPlayground(signInBySecret);
  onTestFinished(() => app.close());
  const { page, context } = await openPage(site.browser, app.url);
  let isDown = true;
  await context.routeWebSocket(/graphql/, (socket) => {
    if (isDown) void socket.close({ code: 1001 });
    else socket.connectToServer();
  });
  await page.reload();
  await page.getByLabel('Token of your sign-in').fill('nonsense');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The server cannot be reached.').waitFor();
  expect(await page.evaluate('document.activeElement.innerText')).toBe('Sign in');
  isDown = false;
  await page.getByText('The server does not accept this credential').waitFor();
  await page.getByLabel('Token of your sign-in').fill(await mint('ann'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Tell me a story' }).click();
  expect(await waitForCount(page)).toContain('1 request paid');
});

test('an unanswered message is sent when its user signs in again, and never for the next one, who must be known', async () => {
  const app = await startPlayground(signInBySecret);
  onTestFinished(() => app.close());
  const { page, context } = await openPage(site.browser, app.url);
  /** The next operation with this text is not answered. */
  let [stopped, code] = ['StartChat', 4403];
  await context.routeWebSocket(/graphql/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (!String(message).includes(stopped)) return server.send(message);
      stopped = 'nothing';
      void socket.close({ code, reason: 'Not now.' });
    });
  });
  const signIn = async (token: string): Promise<void> => {
    await page.getByLabel('Token of your sign-in').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const refusal = page.getByText('The server does not accept this credential');
  await page.reload();
  await signIn(await mint('ann'));
  await say(page, 'Say exactly: of ann');
  await refusal.waitFor();
  [stopped, code] = ['query Viewer', 4400];
  await signIn(await mint('bob'));
  await page.locator('.sign-in').getByText('Not now.').waitFor();
  await signIn(await mint('bob'));
  [stopped, code] = ['StartChat', 4403];
  await say(page, 'Say exactly: of bob');
  await refusal.waitFor();
  await signIn('nonsense');
  await page.getByRole('button', { name: 'Sign in', disabled: false }).waitFor();
  await signIn(await mint('bob'));
  await waitForCount(page);
  expect(await page.locator('.prompt').allInnerTexts()).toEqual(['Say exactly: of bob']);
  expect(app.sandbox?.activity.count('/v1/chat/completions')).toBe(1);
});

test('a folded part of a form that was opened for its problem stays open when it is mended, and a tool is called', async () => {
  const { page } = await site.open('/');
  await page.getByText('Model and parameters').click();
  await page.locator('.composer summary').nth(1).click();
  const tools = page.locator('.composer fieldset', { has: page.locator('legend', { hasText: /^Tools$/ }) });
  await tools.getByRole('button', { name: 'Add tools' }).click();
  await tools.getByText('Required.').first().waitFor();
  // The reason why nothing can be sent is told also when it is folded.
  await page.getByText('Model and parameters: to be completed').waitFor();
  await tools.getByLabel('Name').fill('weather');
  await expect.poll(() => tools.getByText('Required.').count()).toBe(0);
  expect(await tools.getByLabel('Name').isVisible()).toBe(true);
  await say(page, 'What is the weather in Paris?');
  await page.locator('.reply summary', { hasText: 'weather' }).waitFor();
  // A card is not empty where a chat has no text.
  await page.getByRole('link', { name: 'Gallery' }).click();
  await page.locator('.card', { hasText: 'Calls weather' }).waitFor();
});
