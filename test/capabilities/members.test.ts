import { describe, expect, test } from 'vitest';
import { findMember, findRootField, memberPathsOf, sendAll } from '../support/request-members.ts';
import { nameOf, type RequestMembers, type MemberSource } from './members/request-members.ts';
import { pending, requests } from './members/requests.ts';

const headers = {
  authorization: 'Bearer sk-members',
  'new-api-user': '1',
  'x-forwarded-hoapp-codest': 'codest-1',
};
const isPending = (request: RequestMembers): boolean => pending.includes(nameOf(request));
const cases = requests.map((request) => [nameOf(request), request] as const);
const built = cases.filter(([, request]) => !isPending(request));

/** The graph paths of a member. Empty when the member is not set by an argument. */
function graphPathsOf(source: MemberSource): readonly string[] {
  if (typeof source === 'string') return [source];
  if ('anyOf' in source) return source.anyOf;
  if ('by' in source) return [source.by];
  return 'extra' in source ? [source.extra] : [];
}

describe('the members of all requests', () => {
  test('cover all 20 endpoints', () => {
    expect([...new Set(requests.map(({ endpoint }) => endpoint))].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(new Set(cases.map(([name]) => name)).size).toBe(cases.length);
    expect(pending.filter((name) => !cases.some(([known]) => known === name))).toEqual([]);
  });

  test('are counted', () => {
    const count = (list: readonly RequestMembers[]): string => {
      const members = list.reduce((sum, request) => sum + Object.keys(request.members).length, 0);
      return `${new Set(list.map(({ endpoint }) => endpoint)).size} endpoints, ${list.length} requests, ${members} members`;
    };
    console.log(`members: ${count(requests)}; covered: ${count(built.map(([, request]) => request))}`);
    expect(built.length + pending.length).toBe(requests.length);
  });

  test.each(cases.filter(([, request]) => isPending(request)))(
    'of pending %s are not implemented',
    async (name, request) => {
      // taskByHandle serves many kinds: only a sent request shows that this kind is implemented.
      const isImplemented =
        request.field === 'taskByHandle'
          ? (await sendAll(request, headers)).length > 0
          : findRootField(request.field) !== undefined;
      expect(isImplemented, `${name} is implemented: remove it from the list of pending requests`).toBe(
        false,
      );
    },
  );
});

describe.each(built)('every member of %s', (_name, request) => {
  const { field: fieldName, members } = request;

  test('has a path in the graph', () => {
    const root = findRootField(fieldName);
    expect(root, `the root field ${fieldName}`).toBeDefined();
    const problems = Object.entries(members).flatMap(([wire, source]) =>
      graphPathsOf(source)
        .filter((place) => !root || !findMember(root.field, place))
        .map((place) => `${wire}: there is no ${place}`),
    );
    expect(problems).toEqual([]);
  });

  test('reaches the gateway, and no other member does', async () => {
    const sent = await sendAll(request, headers);
    expect(sent).toHaveLength(request.calls.length);
    const found = new Set(sent.flatMap((one) => [...memberPathsOf(one, request)]));
    expect([...found].toSorted()).toEqual(Object.keys(members).toSorted());
    const always = Object.entries(members).flatMap(([place, source]) =>
      typeof source === 'object' && 'always' in source ? [[place, source.always] as const] : [],
    );
    for (const { body } of sent) expect(body ?? {}).toMatchObject(Object.fromEntries(always));
  });
});
