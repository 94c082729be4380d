import { getNamedType, isInputObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { asArray, asRecord } from '../../src/lib/json.ts';
import { startRecorded } from '../support/recording-gateway.ts';
import { findRootField, operationOf } from '../support/request-members.ts';
import { type MemberSource, nameOf, type RequestMembers } from './members/request-members.ts';
import { requests } from './members/requests.ts';

interface ExtraPlace {
  /** Path of the object with the member `extra`: `input`, or an alternative of a `@oneOf` input. */
  readonly base: readonly string[];
  /** Wire name and path of the field, from the base, of each body member that has another name as a field. */
  readonly renamed: readonly (readonly [wire: string, field: string])[];
}

function findExtraPlace(request: RequestMembers): ExtraPlace {
  const input = findRootField(request.field)?.field.args.find(({ name }) => name === 'input');
  const type = input && getNamedType(input.type);
  const [alternative = ''] = Object.keys(asRecord(request.calls[0]?.['input']) ?? {});
  const base = isInputObjectType(type) && type.isOneOf ? ['input', alternative] : ['input'];
  const isWrapped = Object.hasOwn(request.members, 'input');
  const renamed = Object.entries(request.members).flatMap(([wire, source]) => {
    // Some bodies wrap their members in an `input`. The members of `extra` are added inside it.
    const name = !isWrapped ? wire : wire.startsWith('input.') ? wire.slice('input.'.length) : '';
    const path = fieldPathOf(source);
    if (path === undefined || /^$|[.:[\]]/.test(name)) return [];
    // Empty if several fields of the input set the member.
    const field = path.slice(base.join('.').length + 1);
    return field === '' || toSnakeCase(field) === name ? [] : [[name, field] as const];
  });
  return { base, renamed };
}

/** The path of the field, or of the `@oneOf` input whose alternatives set the member. */
function fieldPathOf(source: MemberSource): string | undefined {
  if (typeof source === 'string') return source;
  return typeof source === 'object' && 'anyOf' in source
    ? source.anyOf[0]?.split('.').slice(0, -1).join('.')
    : undefined;
}

/** The rule for members that are not renamed: `topP` is sent as `top_p`. */
function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function refusalOf(field: string, wire: string): string {
  const setter = field.includes(' of ') ? `Only ${field}` : `The field ${field}`;
  return `${setter} sets "${wire}". Remove this member from extra.`;
}

const cases = requests
  .filter(({ field }) => findRootField(field)?.kind === 'mutation')
  .map((request) => [nameOf(request), request, findExtraPlace(request)] as const)
  .filter(([, , { renamed }]) => renamed.length > 0);

test.each(cases)('%s: a refused member of extra is named with its field', async (_name, request, place) => {
  const root = findRootField(request.field);
  if (!root) throw new Error(`No root field ${request.field}`);
  await using recorded = await startRecorded();
  const [, alternative] = place.base;
  const extra = Object.fromEntries(place.renamed.map(([wire]) => [wire, 'x']));
  const valid = asRecord(request.calls[0]?.['input']) ?? {};
  const input =
    alternative === undefined
      ? { ...valid, extra }
      : { [alternative]: { ...asRecord(valid[alternative]), extra } };
  const query = operationOf(root, { input }, '... on InvalidInputError { issues { path message } }');
  const headers = { authorization: 'Bearer sk-members', 'new-api-user': '1' };
  const { data, errors } = await recorded.app.run(query, { input }, { headers });
  expect(errors).toBeUndefined();
  const issues = asArray(asRecord(asRecord(data)?.[request.field])?.['issues']);
  expect(issues).toEqual(
    expect.arrayContaining(
      place.renamed.map(([wire, field]) => ({
        path: [...place.base, 'extra', wire],
        message: refusalOf(field, wire),
      })),
    ),
  );
  expect(recorded.gateway.requests).toEqual([]);
});

test.each([
  [
    'startChat',
    '{ model: "m", messages: [{ role: USER, content: { text: "x" } }], EXTRA }',
    'max_tokens',
    'maxTokens',
  ],
  ['createImage', '{ byCount: { prompt: "x", EXTRA } }', 'watermark', 'watermark of byResolution'],
  ['createImage', '{ byResolution: { model: "seedream-4", prompt: "x", EXTRA } }', 'n', 'count of byCount'],
  ['createSong', '{ description: "x", model: SONG_V5, EXTRA }', 'tags', 'style of createSongCover'],
  [
    'createVideo',
    '{ withCharacter: { model: "m", prompt: "p", size: SMALL, EXTRA } }',
    'watermark',
    'allowWatermark of fromImages',
  ],
])('%s %s: %s in extra is named with its field', async (field, input, wire, name) => {
  await using recorded = await startRecorded();
  const query = `mutation { ${field}(input: ${input.replace('EXTRA', `extra: { ${wire}: 1 }`)}) { ... on InvalidInputError { issues { message } } } }`;
  const { data } = await recorded.app.run(query);
  expect(data).toEqual({
    [field]: { issues: [{ message: refusalOf(name, wire) }] },
  });
});
