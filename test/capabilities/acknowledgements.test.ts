import { describe, expect, test } from 'vitest';
import { startRecorded } from '../support/recording-gateway.ts';
import { findRootField, operationOf } from '../support/request-members.ts';
import { nameOf } from './members/request-members.ts';
import { requests } from './members/requests.ts';

/** Creates whose result comes later. */
const creating = [
  'createSpeech',
  'createAnimation',
  'fillImage',
  'createVideo',
  'createReferenceVideo',
  'createTransitionVideo',
  'queueImage',
  'queueInpainting',
  'createSong',
  'createSongCover',
];
const creates = requests
  .filter(({ field }) => creating.includes(field))
  .map((request) => [nameOf(request), request] as const);

const named = { id: 'w-1', task_id: 'w-1', request_id: 'w-1' };
const silences = [
  {},
  { status: null, state: null, task_status: null },
  { status: '', state: '', task_status: '' },
  { status: ' ', state: ' ', task_status: ' ' },
  { status: {}, state: [], task_status: true },
];

test('every family is among them', () => {
  expect(new Set(creates.map(([, { field }]) => field))).toEqual(new Set(creating));
});

describe.each(creates)('the reply to %s', (_name, { field, calls: [given = {}] }) => {
  test('which names work and says nothing of its state is taken as queued', async () => {
    await using recorded = await startRecorded();
    for (const silence of silences) {
      recorded.gateway.answer({ body: { ...named, ...silence } });
      const { data, errors } = await recorded.app.run<object, object>(operation(field, given), given);
      expect({ silence, data, errors }).toEqual({ silence, data: { [field]: { status: 'QUEUED' } } });
    }
  });
});

// The replies of music tell an id and nothing else.
const telling = creates.filter(([, { field }]) => !field.startsWith('createSong'));

describe.each(telling)('the reply to %s', (_name, { field, calls: [given = {}] }) => {
  test.each([
    ['a word that nobody knows', { status: 'simmering', state: 'simmering' }, 'UNKNOWN'],
    ['a word of work', { status: 'processing', state: 'processing' }, 'RUNNING'],
    ['an error alone', { error: 'no GPU' }, 'FAILED'],
  ])('which says %s is taken at it', async (_what, said, status) => {
    await using recorded = await startRecorded();
    recorded.gateway.answer({ body: { ...named, ...said } });
    const { data } = await recorded.app.run<object, object>(operation(field, given), given);
    expect(data).toEqual({ [field]: { status } });
  });
});

function operation(field: string, given: Readonly<Record<string, unknown>>): string {
  const root = findRootField(field);
  if (!root) throw new Error(`no such field: ${field}`);
  return operationOf(root, given, '... on Generation { status } ... on GengraphError { code message }');
}
