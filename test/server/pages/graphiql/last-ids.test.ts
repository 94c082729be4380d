import { describe, expect, test } from 'vitest';
import { createLastIds, type IdKind } from '../../../../src/server/pages/graphiql/browser/last-ids.ts';

const follow = { operation: 'TaskProgress', label: 'Follow' };
const task: IdKind = {
  placeholder: 'task_here',
  madeBy: ['createSong'],
  hint: 'First',
  maker: 'Song',
  follow,
};
const chat: IdKind = { placeholder: 'generation_chat', madeBy: ['streamChat'], hint: 'First', maker: 'Chat' };

function createBrowser() {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  const open = () => createLastIds({ storage, kinds: [task, chat] });
  return { stored, storage, open };
}

function song(id: unknown, more: object = {}) {
  const made = {
    __typename: 'Generation',
    id: 'generation_s',
    status: 'QUEUED',
    task: { id, tracking: 'POLLED' },
  };
  return { data: { createSong: { ...made, ...more } } };
}

const wanted = '{"id": "task_here"}';

describe('the last ids', () => {
  test('fill the placeholder in, after a reload too, and again when there is a newer one', () => {
    const { open } = createBrowser();
    expect(open().fill('TaskProgress', wanted)).toEqual({ text: wanted, missing: task });
    open().note(song('task_1'));
    const first = open().fill('TaskProgress', wanted);
    expect(first).toEqual({ text: '{"id": "task_1"}', missing: undefined });
    open().note(song('task_2'));
    expect(open().fill('TaskProgress', first.text).text).toBe('{"id": "task_2"}');
  });

  test('leave an id that the user typed', () => {
    const ids = createBrowser().open();
    ids.note(song('task_1'));
    ids.fill('TaskProgress', wanted);
    ids.note(song('task_2'));
    const typed = '{"id": "task_mine"}';
    expect(ids.fill('TaskProgress', typed)).toEqual({ text: typed, missing: undefined });
    // An id of another tab.
    expect(ids.fill('Task', '{"id": "task_1"}').text).toBe('{"id": "task_1"}');
  });

  test('are those of creates, not of lists and other operations', () => {
    const ids = createBrowser().open();
    ids.note({ data: { generations: { edges: [song('task_1').data.createSong] } } });
    ids.note({ data: { task: { id: 'task_1' } } });
    expect(ids.fill('Task', wanted).missing).toBe(task);
    ids.note({ data: { streamChat: { __typename: 'ChatDelta', generationId: 'generation_1' } } });
    expect(ids.fill('ChatEvents', '{"id":"generation_chat"}').text).toBe('{"id":"generation_1"}');
    expect(ids.fill('Task', wanted).missing).toBe(task);
  });

  test('can be followed while the task runs and the gateway can report it', () => {
    const ids = createBrowser().open();
    expect(ids.note(song('task_1'))).toEqual([task]);
    expect(ids.note(song('task_1', { status: 'SUCCEEDED' }))).toEqual([]);
    expect(ids.note(song('', { task: { id: 'task_1', tracking: 'NOT_TRACKABLE' } }))).toEqual([]);
    expect(ids.note({ data: { streamChat: { generationId: 'generation_1' } } })).toEqual([]);
  });

  test.each([['task_"}'], ['generation_1'], [7], [null], [`task_${'x'.repeat(501)}`], ['task_ä']])(
    'are never %j',
    (id) => {
      const ids = createBrowser().open();
      ids.note(song(id));
      expect(ids.fill('Task', wanted)).toEqual({ text: wanted, missing: task });
    },
  );

  test('survive a storage that is full or holds anything else', () => {
    const { stored, storage } = createBrowser();
    for (const odd of ['not JSON', '[]', '7', 'null', '{"task_here":{}}']) {
      stored.set('gengraph:filledIds', odd);
      stored.set('gengraph:lastIds', odd === '{"task_here":{}}' ? '{}' : odd);
      const ids = createLastIds({ storage, kinds: [task] });
      expect(ids.fill('Task', wanted).missing).toBe(task);
    }
    const full = {
      getItem: () => null,
      setItem() {
        throw new Error('QuotaExceededError');
      },
    };
    const ids = createLastIds({ storage: full, kinds: [task] });
    for (const odd of [
      null,
      'text',
      { data: null },
      { errors: [] },
      { data: { createSong: null } },
      song('task_1'),
    ])
      ids.note(odd);
    expect(ids.fill('Task', wanted).text).toBe(wanted);
  });
});
