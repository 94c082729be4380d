import { readFileSync } from 'node:fs';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { quietChanges } from './support/quiet-changes.ts';
import { exceptions, lintSchema } from './support/schema-rules.ts';

const current = readFileSync('schema.graphql', 'utf8');
const released = readFileSync('docs/released/schema.graphql', 'utf8');

/** What would break a client that was written for the earlier schema. */
async function breaches(earlier: string, later: string): Promise<readonly string[]> {
  const schemas = [buildSchema(earlier), buildSchema(later)] as const;
  const changes = await diff(...schemas);
  return [
    ...changes
      .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
      .map(({ message }) => message),
    ...quietChanges(...schemas),
  ];
}

const acknowledge =
  'This changes what clients were promised. If it is meant: say so in CHANGELOG.md, and copy schema.graphql to docs/released in the same commit (docs/released/README.md says when)';

describe('the contract', () => {
  test('breaks no client of the last release (docs/released says what to do instead)', async () => {
    expect(await breaches(released, current), acknowledge).toEqual([]);
  });

  test.each([
    ['a field', '  isCancelable: Boolean!', '  isStoppable: Boolean!'],
    ['an argument', 'tasks(', 'tasks2('],
    ['a nullability', 'status: TaskStatus!', 'status: TaskStatus'],
    ['a value', '  QUEUED\n', '  WAITING\n'],
    ['that one member is enough', 'input GenerationSelector @oneOf', 'input GenerationSelector'],
    ['a freedom to send several members', 'input CreateSongInput {', 'input CreateSongInput @oneOf {'],
    ['a default', 'mv: SongModel = SONG_V5', 'mv: SongModel'],
    ['the value of a default', 'mv: SongModel = SONG_V5', 'mv: SongModel = SONG_V4'],
    ["an argument's lack of a default", '    first: Int\n', '    first: Int = 7\n'],
    [
      'what a scalar is',
      'scalar JSON @specifiedBy(url: "https://datatracker',
      'scalar JSON @specifiedBy(url: "https://x',
    ],
    ['where a scalar is specified', /(?<=scalar JSON) @specifiedBy.*/.exec(released)?.[0] ?? '-', ''],
  ])('would not let %s go', async (_what, part, instead) => {
    expect(released).toContain(part);
    expect((await breaches(released, released.replaceAll(part, instead))).length).toBeGreaterThan(0);
  });

  test('keeps to the recommended and the Relay rules of @graphql-eslint, but where a reason is given', async () => {
    const complaints = await lintSchema(current);
    expect(complaints.toSorted()).toEqual(exceptions.map(({ complaint }) => complaint).toSorted());
  });

  test('is read by rules that complain', async () => {
    const sdl =
      '"Reads." type Query { "Bad." Some_field: Int, "A list." things: ThingConnection } type ThingConnection { "x" a: Int }';
    const complaints = await lintSchema(sdl);
    expect(complaints.join('\n')).toMatch(/Some_field.*camelCase/);
    expect(complaints.join('\n')).toMatch(/Connection type must contain a field `edges`/);
  });
});
