import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGengraph } from '../../src/client/gengraph.ts';
import {
  type ChatStream,
  GengraphProvider,
  useChatStream,
  useConnection,
  useCreate,
  useGallery,
  useGengraph,
  useGeneration,
  useUpload,
} from '../../src/client/react/index.ts';
import { createViewStore } from '../../src/client/react/view-store.ts';
import { createViews, type ViewSink } from '../../src/client/views.ts';
import { startApp } from '../support/app.ts';
import { ask } from '../support/chats.ts';

describe('on a server', () => {
  test('the hooks render their first state, send nothing and keep nothing', () => {
    const items = new Map<string, string>();
    const gengraph = createGengraph({
      url: 'http://127.0.0.1:1/graphql',
      storage: {
        getItem: (name) => items.get(name) ?? null,
        setItem: (name, value) => void items.set(name, value),
        removeItem: (name) => void items.delete(name),
      },
    });
    onTestFinished(() => gengraph.dispose());
    // A member that a page has not set is like one that it leaves out, also with `exactOptionalPropertyTypes`.
    const none = undefined;
    function Page() {
      const states = [
        useChatStream(ask('Hello'), { id: none, attempt: none, collection: none }).status,
        useGeneration('generation_1').status,
        useGallery({ collection: none }, { pageSize: none }).isLoading,
        useCreate('createImage').status,
        useUpload().isUploading,
        useConnection().status,
        useGengraph() === gengraph,
      ];
      return createElement('p', {}, JSON.stringify(states));
    }
    const html = renderToString(createElement(GengraphProvider, { client: gengraph }, createElement(Page)));
    const text = html.replaceAll('&quot;', '"');
    expect(text).toBe('<p>["starting","STARTING",true,"IDLE",false,"idle",true]</p>');
    expect(gengraph.connection.current.status).toBe('idle');
    expect(items.size).toBe(0);
  });

  test('the state of the connection is the first one, as a page that is hydrated later needs it', async () => {
    await using app = await startApp();
    const gengraph = createGengraph({ url: app.url, credential: 'sk-sandbox' });
    onTestFinished(() => gengraph.dispose());
    await gengraph.running();
    expect(gengraph.connection.current.status).toBe('connected');
    const Page = () => createElement('p', {}, useConnection().status);
    const html = renderToString(createElement(GengraphProvider, { client: gengraph }, createElement(Page)));
    expect(html).toBe('<p>idle</p>');
  });

  test('a chat that could not be stopped is shown as it was, with the reason', async () => {
    const gengraph = createGengraph({ url: 'http://127.0.0.1:1/graphql' });
    let stop: ChatStream['stop'] | undefined;
    const Page = () => {
      ({ stop } = useChatStream('generation_1'));
      return null;
    };
    renderToString(createElement(GengraphProvider, { client: gengraph }, createElement(Page)));
    const stopped = stop?.();
    await gengraph.dispose();
    expect(await stopped).toMatchObject({
      id: 'generation_1',
      status: 'starting',
      error: { retry: 'SAME_KEY' },
    });
  });

  test('a hook without a provider says what is missing', () => {
    const Page = () => createElement('p', {}, useGengraph().connection.current.status);
    expect(() => renderToString(createElement(Page))).toThrow(/<GengraphProvider/);
  });
});

describe('a view store', () => {
  function createSource() {
    const opened: { sink: ViewSink<number>; isLeft: boolean }[] = [];
    const open = () =>
      createViews<number>((sink) => {
        const reader = { sink, isLeft: false };
        opened.push(reader);
        return () => (reader.isLeft = true);
      });
    return { opened, open };
  }

  test('starts with its first subscriber, and survives one that leaves and comes back at once', async () => {
    const { opened, open } = createSource();
    const store = createViewStore(0, open);
    expect(opened).toHaveLength(0);
    const leave = store.subscribe(() => {});
    leave();
    const leaveAgain = store.subscribe(() => {});
    await Promise.resolve();
    expect(opened).toMatchObject([{ isLeft: false }]);
    leaveAgain();
    await expect.poll(() => opened[0]?.isLeft).toBe(true);
  });

  test('keeps the end of its source when it is shown again, also one that was not shown yet', async () => {
    const { opened, open } = createSource();
    const store = createViewStore(0, open, (view) => view === 2);
    const leave = store.subscribe(() => {});
    opened[0]?.sink.push(1);
    await expect.poll(store.read).toBe(1);
    opened[0]?.sink.end(2);
    // It is read, and waits for the next render.
    await new Promise(setImmediate);
    leave();
    await Promise.resolve();
    store.subscribe(() => {});
    expect(store.read()).toBe(2);
    expect(opened).toHaveLength(1);
    store.restart();
    expect(store.read()).toBe(0);
    expect(opened).toHaveLength(2);
  });

  test('shows at most 20 views a second, and always the last one', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { opened, open } = createSource();
    const store = createViewStore(0, open);
    const shown: number[] = [];
    const times: number[] = [];
    store.subscribe(() => {
      shown.push(store.read());
      times.push(Date.now());
    });
    for (let view = 1; view <= 1000; view += 1) {
      opened[0]?.sink.push(view);
      await vi.advanceTimersByTimeAsync(2);
    }
    opened[0]?.sink.end(1001);
    await vi.advanceTimersByTimeAsync(50);
    expect(shown.at(-1)).toBe(1001);
    // Two seconds.
    expect(shown.length).toBeGreaterThan(35);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(50);
  });
});
