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

/** The graph path of a member. Undefined when the member is not set by an argument. */
function graphPathOf(source: MemberSource): string | undefined {
  if (typeof source === 'string') return source;
  if ('by' in source) return source.by;
  return 'extra' in source ? source.extra : undefined;
}

/** The last name of a path: `tool_calls` of `messages[].tool_calls`. */
function lastNameOf(place: string): string {
  return place.split(/[.:]/).at(-1)?.replaceAll('[]', '') ?? '';
}

/** The rule for wire names without an entry in the description: `topP` is sent as `top_p`. */
function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
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

  test('has a path in the graph, under its name in camelCase or with its wire name in the description', () => {
    const root = findRootField(fieldName);
    expect(root, `the root field ${fieldName}`).toBeDefined();
    const problems = Object.entries(members).flatMap(([wire, source]) => {
      const place = graphPathOf(source);
      const member = root && place !== undefined ? findMember(root.field, place) : undefined;
      if (place !== undefined && !member) return [`${wire}: there is no ${place}`];
      if (typeof source !== 'string') return [];
      if ([lastNameOf(source), toSnakeCase(lastNameOf(source))].includes(lastNameOf(wire))) return [];
      const hasWireName = member?.description?.includes(`\`${lastNameOf(wire)}\``) ?? false;
      return hasWireName ? [] : [`${wire}: the description of ${source} does not contain the wire name`];
    });
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
