import { describe, expect, test } from 'vitest';
import { startRecorded } from '../support/recording-gateway.ts';
import { findRootField, operationOf } from '../support/request-members.ts';
import { acceptedReply, generating, immediateCreates } from '../support/every-create.ts';

const creates = generating.filter(([, { field }]) => !immediateCreates.has(field));

const kinds = ['SPEECH', 'VIDEO', 'REFERENCE_VIDEO', 'TRANSITION_VIDEO', 'ANIMATION', 'IMAGE_FILL'];
/** Every task can be read, so that its own state shows. */
const trackable = { env: { GATEWAY_TASK_PATHS: kinds.map((kind) => `${kind}=/read/{id}`).join(',') } };

const named = { id: 'w-1', task_id: 'w-1', request_id: 'w-1' };
const absentStates = [
  {},
  { status: null, state: null, task_status: null },
  { status: '', state: '', task_status: '' },
  { status: ' ', state: ' ', task_status: ' ' },
  { status: {}, state: [], task_status: true },
];

test('the tests cover every create that starts a task', async () => {
  await using recorded = await startRecorded(trackable);
  recorded.gateway.answer({ body: acceptedReply });
  const started = new Set<string>();
  for (const [, { field, calls }] of generating) {
    const [given = {}] = calls;
    const root = findRootField(field);
    if (!root) throw new Error(`no such field: ${field}`);
    const query = operationOf(root, given, '... on Generation { task { id } }');
    const { data } = await recorded.app.run<Readonly<Record<string, { task?: object }>>, object>(
      query,
      given,
    );
    if (data?.[field]?.task) started.add(field);
  }
  expect(started).toEqual(new Set(creates.map(([, { field }]) => field)));
});

describe.each(creates)('a %s reply', (_name, { field, calls: [given = {}] }) => {
  test('that names a task without a state is QUEUED', async () => {
    await using recorded = await startRecorded(trackable);
    for (const absent of absentStates) {
      recorded.gateway.answer({ body: { ...named, ...absent } });
      const { data, errors } = await recorded.app.run<object, object>(operation(field, given), given);
      expect({ absent, data, errors }).toEqual({ absent, data: { [field]: { status: 'QUEUED' } } });
    }
  });
});

// Music replies contain only an id.
const withState = creates.filter(([, { field }]) => !field.startsWith('createSong'));

describe.each(withState)('a %s reply', (_name, { field, calls: [given = {}] }) => {
  test('with an error beside a task in an envelope is no refusal', async () => {
    await using recorded = await startRecorded(trackable);
    recorded.gateway.answer({ body: { error: { message: 'no GPU' }, data: named } });
    const { data } = await recorded.app.run<object, object>(operation(field, given), given);
    // Replies of some kinds have no envelope, so their outcome is unknown.
    expect(JSON.stringify(data)).toMatch(/"FAILED"|"OUTCOME_UNKNOWN"/);
  });

  test.each([
    ['an unknown status word', { status: 'simmering', state: 'simmering' }, 'UNKNOWN'],
    ['a running status word', { status: 'processing', state: 'processing' }, 'RUNNING'],
    ['only an error', { error: 'no GPU' }, 'FAILED'],
  ])('with %s takes the matching state', async (_name, members, status) => {
    await using recorded = await startRecorded(trackable);
    recorded.gateway.answer({ body: { ...named, ...members } });
    const { data } = await recorded.app.run<object, object>(operation(field, given), given);
    expect(data).toEqual({ [field]: { status } });
  });
});

function operation(field: string, given: Readonly<Record<string, unknown>>): string {
  const root = findRootField(field);
  if (!root) throw new Error(`no such field: ${field}`);
  return operationOf(root, given, '... on Generation { status } ... on GengraphError { code message }');
}
