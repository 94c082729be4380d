import { describe, expect, test } from 'vitest';
import { startRecorded } from '../support/recording-gateway.ts';
import { findRootField, operationOf } from '../support/request-members.ts';
import { sandboxKey, systemToken } from '../support/app.ts';
import {
  acceptedReply,
  everyCreate,
  generating,
  immediateCreates,
  makesGeneration,
} from '../support/every-create.ts';

const creates = generating.filter(([, { field }]) => !immediateCreates.has(field));

const kinds = ['SPEECH', 'VIDEO', 'REFERENCE_VIDEO', 'TRANSITION_VIDEO', 'ANIMATION', 'IMAGE_FILL'];
/** Every task can be read, so that its own state shows. */
const trackable = { env: { GATEWAY_TASK_PATHS: kinds.map((kind) => `${kind}=/read/{id}`).join(',') } };

const ids = { id: 't-12345', task_id: 't-12345', request_id: 't-12345' };

/** Each create gets a task of its own, as the gateway's do. */
function createAnswers() {
  let last = 12_345;
  return (body: object) => () => {
    last += 1;
    return { body: JSON.parse(JSON.stringify(body).replaceAll('t-12345', `t-${last}`)) };
  };
}

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
    const answerFrom = createAnswers();
    for (const absent of absentStates) {
      recorded.gateway.answer(answerFrom({ ...ids, ...absent }));
      const { data, errors } = await recorded.app.run<object, object>(operation(field, given), given);
      expect({ absent, data, errors }).toEqual({ absent, data: { [field]: { status: 'QUEUED' } } });
    }
  });
});

/** One create of each root field. */
const mutations = everyCreate.filter(
  ([, { field }], place) =>
    findRootField(field)?.kind === 'mutation' &&
    field !== 'startChat' &&
    everyCreate.findIndex(([, other]) => other.field === field) === place,
);

const refused = 'GATEWAY_ERROR FIX_INPUT';
const songs = ['createSong', 'createSongCover', 'adjustSongSpeed'];
const chat = { createChatCompletion: refused };
const words = { message: 'Not allowed.' };
const secret = 'sk-abcdefgh12345678';
const withSecret = { createAccessToken: `key ${secret}` };

/** `UNKNOWN` stands for an outcome that may have been charged. Exceptions are families that find what they made, and chats. */
const replies: readonly [body: object, meaning: string, exceptions?: Readonly<Record<string, string>>][] = [
  [{ code: 40001, ...words, data: {} }, refused],
  [{ code: 40001, ...words, data: [null] }, refused],
  [{ ErrCode: 40001, ErrMsg: 'Not allowed.', Resp: {} }, refused],
  [{ error: words, data: 'Not allowed.' }, refused],
  [{ code: 40001, ...words, data: 'Not allowed.' }, refused],
  [{ success: false, data: {} }, refused],
  [{ success: false, data: { task_id: 't-9' } }, refused],
  [{ base_resp: { status_code: 1004 }, data: 't-12345' }, refused],
  [{ code: 503, data: {} }, 'GATEWAY_ERROR LATER'],
  // The code may mean anything.
  [{ code: 40001, data: {} }, 'UNKNOWN'],
  [{ code: 40001, message: 'ok', data: {} }, 'UNKNOWN'],
  [{ code: 40001, ...words, data: { part: 1 } }, 'UNKNOWN'],
  [{}, 'UNKNOWN'],
  // The data may be the id of what was made.
  [{ error: words, data: 't-12345' }, 'UNKNOWN', { ...named('QUEUED', songs), ...chat }],
  [{ code: 40001, ...words, data: 't-12345' }, 'UNKNOWN', named('QUEUED', songs)],
  [{ error: words, data: ids }, 'UNKNOWN', { ...named('QUEUED', songs), ...chat }],
  [{ error: words, key: secret }, refused, withSecret],
  [{ success: false, ...words, data: { key: secret } }, refused, withSecret],
  [{ code: 40001, ...words, data: { key: secret } }, 'UNKNOWN', withSecret],
];

test('a reply has one meaning in all families', async () => {
  await using recorded = await startRecorded(trackable);
  const answerFrom = createAnswers();
  const fields = mutations.map(([, { field }]) => field);
  for (const [body, meaning, exceptions] of replies) {
    recorded.gateway.answer(answerFrom(body));
    const outcomes = await Promise.all(
      mutations.map(
        async ([
          ,
          {
            field,
            calls: [given = {}],
          },
        ]) => {
          const root = findRootField(field);
          if (!root) throw new Error(`no such field: ${field}`);
          const query = operationOf(root, given, `${selectionOf(field)} ... on GengraphError { code retry }`);
          const headers = field === 'createAccessToken' ? systemToken : sandboxKey;
          const { data } = await recorded.app.run<Readonly<Record<string, Outcome>>, object>(query, given, {
            headers,
          });
          return [field, describeOutcome(data?.[field] ?? {})] as const;
        },
      ),
    );
    const expected = { ...named(meaning, fields), ...exceptions };
    expect({ body, ...Object.fromEntries(outcomes) }).toEqual({ body, ...expected });
  }
});

function selectionOf(field: string): string {
  if (field === 'createAccessToken') return '... on CreatedAccessToken { key }';
  return makesGeneration(field) ? '... on Generation { status error { retry } }' : '__typename';
}

interface Outcome {
  readonly code?: string;
  readonly retry?: string;
  readonly status?: string;
  readonly error?: { readonly retry: string } | null;
  readonly key?: string;
}

function describeOutcome({ code = '', retry, status, error, key }: Outcome): string {
  if ((retry ?? error?.retry) === 'MAY_CHARGE_AGAIN') return 'UNKNOWN';
  return key === undefined ? (status ?? `${code} ${retry}`) : `key ${key}`;
}

function named(meaning: string, fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map((field) => [field, meaning]));
}

// Music replies contain only an id.
const withState = creates.filter(([, { field }]) => !field.startsWith('createSong'));

describe.each(withState)('a %s reply', (_name, { field, calls: [given = {}] }) => {
  test.each([
    ['an unknown status word', { status: 'simmering', state: 'simmering' }, 'UNKNOWN'],
    ['a running status word', { status: 'processing', state: 'processing' }, 'RUNNING'],
    ['only an error', { error: 'no GPU' }, 'FAILED'],
  ])('with %s takes the matching state', async (_name, members, status) => {
    await using recorded = await startRecorded(trackable);
    recorded.gateway.answer({ body: { ...ids, ...members } });
    const { data } = await recorded.app.run<object, object>(operation(field, given), given);
    expect(data).toEqual({ [field]: { status } });
  });
});

function operation(field: string, given: Readonly<Record<string, unknown>>): string {
  const root = findRootField(field);
  if (!root) throw new Error(`no such field: ${field}`);
  return operationOf(root, given, '... on Generation { status } ... on GengraphError { code message }');
}
