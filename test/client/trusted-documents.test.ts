import { expect, onTestFinished, test } from 'vitest';
import { createGengraph } from '../../src/client/gengraph.ts';
import { startApp } from '../support/app.ts';
import { ask } from '../support/chats.ts';

test('a server that runs only trusted documents runs everything that the client sends', async () => {
  await using app = await startApp({
    env: { TRUSTED_DOCUMENTS: 'only', GATEWAY_TASK_PATHS: '' },
    sandbox: { taskSeconds: 0 },
  });
  const gengraph = createGengraph({ url: app.url, credential: 'sk-sandbox' });
  onTestFinished(() => gengraph.dispose());
  const last = async <View>(views: AsyncIterable<View>): Promise<View | undefined> => {
    let view: View | undefined;
    for await (view of views);
    return view;
  };
  const chat = gengraph.chat(ask('Hello'), { id: 'message-1' });
  const completed = await last(chat);
  expect(completed).toMatchObject({ status: 'completed', error: null });
  expect(await chat.stop()).toMatchObject({ status: 'completed' });
  const picture = await last(gengraph.generate('queueImage', { prompt: 'a fox' }));
  expect(picture).toMatchObject({ status: 'SUCCEEDED', error: null, assets: [{ kind: 'IMAGE' }] });
  expect(await last(gengraph.follow(completed?.id ?? ''))).toMatchObject({ status: 'completed' });
  expect(await last(gengraph.followGeneration(picture?.id ?? ''))).toMatchObject({ status: 'SUCCEEDED' });
  expect(await gengraph.running()).toEqual({ value: [] });
  for await (const { items, problem, isLoading } of gengraph.feed()) {
    expect(problem).toBeNull();
    if (isLoading) continue;
    expect(items.map(({ id }) => id)).toEqual([picture?.id, completed?.id]);
    break;
  }
  expect(gengraph.connection.current).toMatchObject({ status: 'connected', problem: null });
});
