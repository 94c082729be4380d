import { getNamedType, isInputObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { memberKey } from '../../src/generations/member-name.ts';
import { asArray, asRecord } from '../../src/lib/json.ts';
import { startRecorded } from '../support/recording-gateway.ts';
import { findRootField, operationOf } from '../support/request-members.ts';
import { nameOf, type RequestMembers } from './members/request-members.ts';
import { requests } from './members/requests.ts';

const headers = { authorization: 'Bearer sk-members', 'new-api-user': '1' };

/** Spellings that a gateway may read as the same name. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.charAt(0).toUpperCase() + name.slice(1),
  (name) => name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
  (name) => name.replaceAll('_', '-'),
  (name) => name.replaceAll('_', ' '),
  (name) => ` ${name}\t`,
  // Full-width letters and digits.
  (name) => name.replaceAll(/[a-z\d]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  (name) => `${name.slice(0, 1)}\u200b${name.slice(1)}`,
  // The long s and the Kelvin sign.
  (name) => name.replaceAll('s', '\u017f').replaceAll('k', '\u212a'),
];

/** The declared members of the body that `extra` adds to, by wire name. */
function declaredNames({ members }: RequestMembers): readonly string[] {
  const isWrapped = Object.hasOwn(members, 'input');
  return Object.entries(members).flatMap(([wire, source]) => {
    const name = !isWrapped ? wire : wire.startsWith('input.') ? wire.slice('input.'.length) : '';
    const isDeclared = typeof source !== 'object' || !('extra' in source);
    return isDeclared && !/^$|[.:[\]]/.test(name) ? [name] : [];
  });
}

const mutations = requests.filter(({ field }) => findRootField(field)?.kind === 'mutation');

test.each(mutations.map((request) => [nameOf(request), request] as const))(
  '%s: extra refuses every declared member in every spelling',
  async (_name, request) => {
    const root = findRootField(request.field);
    const type = root?.field.args.find(({ name }) => name === 'input')?.type;
    if (!root || !type) throw new Error(`No input of ${request.field}`);
    const valid = asRecord(request.calls[0]?.['input']) ?? {};
    const [first = ''] = Object.keys(valid);
    const named = getNamedType(type);
    const alternative = isInputObjectType(named) && named.isOneOf ? first : undefined;
    const names = [
      ...new Set(
        [...declaredNames(request), 'stream'].flatMap((name) => spellings.map((spell) => spell(name))),
      ),
    ];
    const extra = { ...Object.fromEntries(names.map((name) => [name, 'x'])), undeclared_member: 1 };
    const input =
      alternative === undefined
        ? { ...valid, extra }
        : { [alternative]: { ...asRecord(valid[alternative]), extra } };
    const base = alternative === undefined ? ['input'] : ['input', alternative];
    await using recorded = await startRecorded();
    const query = operationOf(root, { input }, '... on InvalidInputError { issues { path } }');
    const { data, errors } = await recorded.app.run(query, { input }, { headers });
    expect(errors).toBeUndefined();
    const issues = asArray(asRecord(asRecord(data)?.[request.field])?.['issues']);
    const paths = issues.map((issue) => JSON.stringify(asRecord(issue)?.['path']));
    expect(new Set(paths)).toEqual(new Set(names.map((name) => JSON.stringify([...base, 'extra', name]))));
    expect(names.length).toBeGreaterThan(5);
    expect(recorded.gateway.requests).toEqual([]);
  },
);

describe('extraBody', () => {
  const issuesOf = async (extraBody: object): Promise<readonly unknown[]> => {
    await using recorded = await startRecorded();
    const query = `mutation ($input: ChatInput!) { createChatCompletion(input: $input) {
      ... on InvalidInputError { issues { path message } } } }`;
    const input = { model: 'm', messages: [{ role: 'USER', content: { text: 'Hello' } }], extraBody };
    const { data } = await recorded.app.run(query, { input }, { headers });
    return asArray(asRecord(asRecord(data)?.['createChatCompletion'])?.['issues']);
  };

  test('refuses every declared member of a chat in every spelling', async () => {
    const chat = requests.find(({ field }) => field === 'createChatCompletion');
    const declared = chat ? declaredNames(chat).filter((name) => name !== 'enable_thinking') : [];
    const names = declared.flatMap((name) => spellings.map((spell) => spell(name)));
    const issues = await issuesOf(Object.fromEntries(names.map((name) => [name, 'x'])));
    const paths = issues.map((issue) => JSON.stringify(asRecord(issue)?.['path']));
    expect(new Set(paths)).toEqual(
      new Set(names.map((name) => JSON.stringify(['input', 'extraBody', name]))),
    );
    expect(declared.length).toBeGreaterThan(15);
  });

  test('names its own members in their documented spelling', async () => {
    expect(await issuesOf({ Enable_Thinking: 'x', Google: 5 })).toEqual([
      { path: ['input', 'extraBody', 'Enable_Thinking'], message: 'Write this member as "enable_thinking".' },
      { path: ['input', 'extraBody', 'Google'], message: 'Write this member as "google".' },
    ]);
    expect(await issuesOf({ enable_thinking: true, google: {}, top_k: 5 })).toEqual([]);
  });
});

test.each([
  ['max_tokens', 'maxTokens', true],
  ['max_tokens', 'ＭＡＸ－ＴＯＫＥＮＳ', true],
  ['n', 'N', true],
  ['model', 'models', false],
  ['top_p', 'top_k', false],
  ['model', 'мodel', false],
])('%s and %s are one name: %j', (one, other, isSame) => {
  expect(memberKey(one) === memberKey(other)).toBe(isSame);
});
