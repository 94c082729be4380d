import { describe, expect, test } from 'vitest';
import { findModuleState } from './support/module-state.ts';

/** The findings in a text, without places. */
function reasonsIn(text: string): readonly string[] {
  return findModuleState({ 'a.ts': text }).map((finding) => finding.replace(/^a\.ts:\d+: /, ''));
}

describe('the search for module-level state', () => {
  test.each([
    ['a registry that is filled', 'const kinds = new Map();\nexport function add() { kinds.set(1, 2); }'],
    ['a map', 'const kinds = new Map<string, number>();'],
    ['a map of a writable type', 'export const kinds: Map<string, number> = new Map();'],
    ['a set in an object', 'const state = { kinds: new Set() };'],
    ['a weak map', 'const cache = new WeakMap<object, number>();'],
    [
      'an instance of a class',
      "import { LRUCache } from 'lru-cache';\nconst cache = new LRUCache({ max: 1 });",
    ],
    ['let', 'let count = 0;'],
    ['an exported let', 'export let count: number;'],
    ['var', 'var count = 0;'],
    [
      'a list that is written to',
      'const list: string[] = [];\nexport const add = (text: string) => list.push(text);',
    ],
    ['a sort in place', "const list = ['b', 'a'];\nexport function sorted() { return list.sort(); }"],
    [
      'a counter in an object',
      'const state = { count: 0 };\nexport function next() { return (state.count += 1); }',
    ],
    ['a step of a counter', 'const state = { count: 0 };\nexport function next() { return state.count++; }'],
    ['an element that is set', 'const slots = [0, 0];\nexport function set() { slots[1] = 5; }'],
    ['a member that is deleted', 'const names = { a: 1 };\nexport function remove() { delete names.a; }'],
    [
      'an assignment to all members',
      'const names = {};\nexport function set() { Object.assign(names, { a: 1 }); }',
    ],
    [
      'a write to what a map holds',
      'const lists: ReadonlyMap<string, string[]> = new Map();\nexport const add = () => lists.get("a")?.push("b");',
    ],
    [
      'a write behind a cast',
      'const list: readonly string[] = [];\nexport const add = () => (list as string[]).push("b");',
    ],
    [
      'a write to an import',
      "import { config } from './config.ts';\nexport function set() { config.port = 1; }",
    ],
    [
      'a write to an import of all',
      "import * as all from './config.ts';\nexport function set() { all.config.port = 1; }",
    ],
    ['a member of a function', 'export function next() { next.count = 1; }'],
    ['a static member of a class', 'export class Counter { static count = 0; }'],
  ])('finds %s', (_name, text) => {
    expect(reasonsIn(text)).not.toEqual([]);
  });

  test.each([
    ['a registration', "import { registerX } from './x.ts';\nregisterX({ kind: 'A' });"],
    [
      'a call of a builder',
      "import { builder } from './builder.ts';\nbuilder.queryField('a', (t) => t.int());",
    ],
    ['an import for its side effect', "import './x.ts';"],
    [
      'a call as an initializer',
      "import { startServer } from './x.ts';\nexport const server = startServer();",
    ],
    [
      'a factory as an initializer',
      "import { createCache } from './x.ts';\nconst parts = { cache: createCache() };",
    ],
    ['a loop', 'for (const kind of [1, 2]) console.log(kind);'],
    ['a condition', "if (process.env['A']) console.log(1);"],
    ['an awaited import', "export const x = await import('./x.ts');"],
    ['a block', '{ console.log(1); }'],
    ['a static block', 'export class Counter { static { console.log(1); } }'],
    ['an assignment', 'globalThis.x = 1;'],
  ])('finds %s, which runs at import', (_name, text) => {
    expect(reasonsIn(text)).not.toEqual([]);
  });

  test.each([
    [
      'constants',
      "const limit = 5;\nexport const words = ['a', 'b'] as const;\nexport const names = { a: 1 };",
    ],
    [
      'collections of a readonly type',
      "const words: ReadonlySet<string> = new Set(['a']);\nexport const has = (word: string) => words.has(word);",
    ],
    [
      'a map in an object of a declared type',
      "import type { Free } from './x.ts';\nexport const free: Free = { fields: new Set(['a']) };",
    ],
    [
      'values of harmless classes',
      "const url = new URL('http://x');\nconst pattern = new RegExp('a');\nexport const all = { url, pattern };",
    ],
    ['schemas', "import { z } from 'zod';\nexport const limits = z.object({ a: z.string() });"],
    [
      'state inside a function',
      'export function createCounter() {\n  let count = 0;\n  const seen = new Map();\n  return () => { seen.set(count, 1); return (count += 1); };\n}',
    ],
    [
      'state inside a function that is a value',
      'export const createCounter = () => { const seen = new Map(); seen.set(1, 2); return seen; };',
    ],
    [
      'a local name like a module-level one',
      "const list = ['a'];\nexport function build() { const list: string[] = []; list.push('b'); return list; }\nexport const first = list[0];",
    ],
    [
      'a parameter like an import',
      "import { state } from './x.ts';\nexport const first = state;\nexport function set(state: { a: number }) { state.a = 1; }",
    ],
    [
      'a sort of a copy',
      "const list = ['b', 'a'];\nexport const sorted = () => [...list].sort();\nexport const other = () => list.filter(Boolean).sort();",
    ],
    [
      'members of instances',
      'export class Counter { static readonly limit = 5; count = 0; next() { this.count += 1; } }',
    ],
    [
      'imports and types',
      "import { a } from './a.ts';\nimport type { B } from './b.ts';\nexport type C = B;\nexport interface D { readonly a: typeof a }\nexport { a };",
    ],
  ])('accepts %s', (_name, text) => {
    expect(reasonsIn(text)).toEqual([]);
  });

  test('names file, line and reason, of each file by itself', () => {
    const files = {
      'kinds.ts':
        '// The kinds.\nconst kinds = new Map();\n\nexport function add() {\n  kinds.set(1, 2);\n}\n',
      'lists/fine.ts': 'export const kinds = 1;\n',
      'lists/all.ts': "import '../kinds.ts';\n",
    };
    expect(findModuleState(files)).toEqual([
      'kinds.ts:2: kinds holds a new Map, which can change',
      'kinds.ts:5: writes to kinds, which is module-level',
      "lists/all.ts:1: imports '../kinds.ts' for its side effect",
    ]);
  });
});
