import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';

/** The values that a file exports and no file imports by name, as `path: name`. Files are TypeScript texts by path. */
export function findUnusedExports(files: Readonly<Record<string, string>>): readonly string[] {
  const imported = new Set<string>();
  const exported: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    const { staticImports, staticExports } = parseSync(path, text).module;
    const note = (from: string, name: string | null | undefined): void => {
      imported.add(`${join(path, '..', from)}: ${name ?? '*'}`);
    };
    for (const { moduleRequest, entries } of staticImports)
      for (const { importName } of entries) note(moduleRequest.value, importName.name);
    for (const { moduleRequest, importName, exportName, isType } of staticExports.flatMap(
      ({ entries }) => entries,
    )) {
      if (moduleRequest) note(moduleRequest.value, importName.name);
      else if (!isType) exported.push(`${path}: ${exportName.name ?? 'default'}`);
    }
    // A module that is loaded as a whole may be used as a whole.
    for (const [, from = ''] of text.matchAll(/\bimport\(\s*'(\.[^']+)'/g)) note(from, undefined);
  }
  return exported.filter((name) => !imported.has(name) && !imported.has(name.replace(/: [^:]*$/, ': *')));
}
