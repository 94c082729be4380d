import { readFileSync } from 'node:fs';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { quietChanges } from './support/quiet-changes.ts';
import { exceptions, lintSchema } from './support/schema-rules.ts';

const current = readFileSync('schema.graphql', 'utf8');
const released = readFileSync('docs/released/schema.graphql', 'utf8');

/** Changes that would break a client written for the earlier schema. */
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
  'Breaking change. If it is intended, describe it in CHANGELOG.md and copy schema.graphql to docs/released in the same commit (see docs/released/README.md)';

describe('the contract', () => {
  test('is compatible with the last release (see docs/released for alternatives)', async () => {
    expect(await breaches(released, current), acknowledge).toEqual([]);
  });

  test.each([
    ['a field', '  isCancelable: Boolean!', '  isStoppable: Boolean!'],
    ['an argument', 'tasks(', 'tasks2('],
    ['a nullability', 'status: TaskStatus!', 'status: TaskStatus'],
    ['a value', '  QUEUED\n', '  WAITING\n'],
    ['@oneOf of an input', 'input GenerationSelector @oneOf', 'input GenerationSelector'],
    ['an input without @oneOf', 'input CreateSongInput {', 'input CreateSongInput @oneOf {'],
    ['a default', 'model: SongModel = SONG_V5', 'model: SongModel'],
    ['the value of a default', 'model: SongModel = SONG_V5', 'model: SongModel = SONG_V4'],
    ["an argument's lack of a default", '    last: Int\n', '    last: Int = 7\n'],
    [
      'the URL of @specifiedBy',
      'scalar JSON @specifiedBy(url: "https://datatracker',
      'scalar JSON @specifiedBy(url: "https://x',
    ],
    ['@specifiedBy of a scalar', /(?<=scalar JSON) @specifiedBy.*/.exec(released)?.[0] ?? '-', ''],
  ])('detects a change of %s', async (_what, part, instead) => {
    expect(released).toContain(part);
    expect((await breaches(released, released.replaceAll(part, instead))).length).toBeGreaterThan(0);
  });

  test('follows the recommended and Relay rules of @graphql-eslint, with documented exceptions', async () => {
    const complaints = await lintSchema(current);
    expect(complaints.toSorted()).toEqual(exceptions.map(({ complaint }) => complaint).toSorted());
  });

  test('is linted by rules that report violations', async () => {
    const sdl =
      '"Reads." type Query { "Bad." Some_field: Int, "A list." things: ThingConnection } type ThingConnection { "x" a: Int }';
    const complaints = await lintSchema(sdl);
    expect(complaints.join('\n')).toMatch(/Some_field.*camelCase/);
    expect(complaints.join('\n')).toMatch(/Connection type must contain a field `edges`/);
  });
});
