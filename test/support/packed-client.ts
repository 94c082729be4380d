import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type OutputAsset, type OutputChunk, rolldown } from 'rolldown';
import { afterAll, beforeAll } from 'vitest';

/** A project that has installed the packed client. */
export interface ClientProject {
  readonly directory: string;
  /** Where the package is installed. */
  readonly installed: string;
  readonly tarball: string;
  /** What users import: `@gengraph/client`, `@gengraph/client/documents` and so on. */
  readonly entries: readonly string[];
  readonly files: readonly string[];
  write(name: string, text: string): string;
  read(name: string): string;
  /** Bundles a program for browsers. `graphql-ws` stays outside. */
  bundle(code: string, external?: readonly string[]): Promise<OutputChunk>;
}

export interface ClientManifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}

const packageName = '@gengraph/client';

/**
 * Packs the client and installs it, for the tests of a file.
 * @param dependencies names that the project has, each from the first of the folders that has it
 */
export function useClientProject(
  dependencies: readonly string[],
  folders: readonly string[] = ['node_modules'],
): ClientProject {
  const directory = mkdtempSync(join(tmpdir(), 'gengraph-client-test-'));
  const modules = join(directory, 'node_modules');
  const installed = join(modules, packageName);
  let tarball = '';
  beforeAll(() => {
    execFileSync('npm', ['run', 'pack:client', '--', directory], { stdio: 'pipe' });
    const [file = ''] = readdirSync(directory).filter((name) => name.endsWith('.tgz'));
    tarball = join(directory, file);
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
    for (const name of dependencies) {
      const target = folders.map((folder) => resolve(folder, name)).find(existsSync);
      if (target === undefined) throw new Error(`${name} is not installed`);
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(target, join(modules, name));
    }
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const project: ClientProject = {
    directory,
    installed,
    get tarball() {
      return tarball;
    },
    get entries() {
      return Object.entries(readClientManifest(installed).exports)
        .filter(([, target]) => typeof target !== 'string')
        .map(([entry]) => packageName + entry.slice(1));
    },
    get files() {
      return readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
    },
    write(name, text) {
      writeFileSync(join(directory, name), text);
      return join(directory, name);
    },
    read: (name) => readFileSync(join(installed, name), 'utf8'),
    async bundle(code, external = []) {
      const build = await rolldown({
        input: project.write('entry.js', code),
        platform: 'browser',
        external: ['graphql-ws', ...external],
      });
      const { output } = await build.generate({ minify: true });
      await build.close();
      // The others are loaded when they are needed.
      const [chunk]: readonly (OutputAsset | OutputChunk)[] = output;
      if (chunk?.type !== 'chunk') throw new Error('a chunk expected');
      return chunk;
    },
  };
  return project;
}

export function readClientManifest(directory = 'packages/client'): ClientManifest {
  // The package's own file; the fields that are read here are the ones that are checked.
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as ClientManifest;
}
