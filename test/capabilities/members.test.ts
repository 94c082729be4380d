import { describe, expect, test } from 'vitest';
import { findMember, findRootField, placesIn, sendAll } from '../support/request-members.ts';
import { nameOf, type RequestMembers, type Said } from './members/request-members.ts';
import { pending, requests } from './members/requests.ts';

const headers = {
  authorization: 'Bearer sk-members',
  'new-api-user': '1',
  'x-forwarded-hoapp-codest': 'codest-1',
};
const isPending = (request: RequestMembers): boolean => pending.includes(nameOf(request));
const cases = requests.map((request) => [nameOf(request), request] as const);
const built = cases.filter(([, request]) => !isPending(request));

/** Where in the graph a member is said; undefined where it is not by an argument. */
function placeOf(said: Said): string | undefined {
  if (typeof said === 'string') return said;
  if ('by' in said) return said.by;
  return 'extra' in said ? said.extra : undefined;
}

/** The last word of a place: `messages[].tool_calls` says `tool_calls`. */
function wordOf(place: string): string {
  return place.split(/[.:]/).at(-1)?.replaceAll('[]', '') ?? '';
}

describe('the members of all requests', () => {
  test('are those of all 20 endpoints', () => {
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
    'of %s are not there yet',
    async (name, request) => {
      // Of one root field for many kinds of work, that a request leaves tells whether this kind is there.
      const isThere =
        request.field === 'taskByHandle'
          ? (await sendAll(request, headers)).length > 0
          : findRootField(request.field) !== undefined;
      expect(isThere, `${name} is there: take it off the list of what is pending`).toBe(false);
    },
  );
});

describe.each(built)('every member of %s', (_name, request) => {
  const { field: fieldName, members } = request;

  test('has its place in the graph, under the same words or with its wire name told', () => {
    const root = findRootField(fieldName);
    expect(root, `the root field ${fieldName}`).toBeDefined();
    const problems = Object.entries(members).flatMap(([wire, said]) => {
      const place = placeOf(said);
      const member = root && place !== undefined ? findMember(root.field, place) : undefined;
      if (place !== undefined && !member) return [`${wire}: there is no ${place}`];
      if (typeof said !== 'string' || wordOf(wire) === wordOf(said)) return [];
      const isTold = member?.description?.includes(`\`${wordOf(wire)}\``) ?? false;
      return isTold ? [] : [`${wire}: the description of ${said} does not tell the wire name`];
    });
    expect(problems).toEqual([]);
  });

  test('is in what reaches the gateway, and nothing else is', async () => {
    const sent = await sendAll(request, headers);
    expect(sent).toHaveLength(request.calls.length);
    const found = new Set(sent.flatMap((one) => [...placesIn(one, request)]));
    expect([...found].toSorted()).toEqual(Object.keys(members).toSorted());
    const always = Object.entries(members).flatMap(([place, said]) =>
      typeof said === 'object' && 'always' in said ? [[place, said.always] as const] : [],
    );
    for (const { body } of sent) expect(body ?? {}).toMatchObject(Object.fromEntries(always));
  });
});
