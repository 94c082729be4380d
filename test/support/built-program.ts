import { join } from 'node:path';
import { inject } from 'vitest';
import { askBroker } from './broker.ts';
import { cacheEnv, startFlags } from './program-build.ts';
import { type Program, type ProgramOptions, startProgram } from './programs.ts';

const directory = await askBroker(inject('buildBroker'));

/** Arguments of Node that start the built program, which takes a third of the processor time of a start from source. */
export const builtStart: readonly string[] = [...startFlags, join(directory, 'dist/start.js')];

/** Its compiled code is kept beside it, and deleted with it. */
export const builtEnv = cacheEnv(directory);

/** Starts the built program, for tests of what it does rather than of how it starts. */
export function startBuilt(args: readonly string[] = [], { env, cwd }: ProgramOptions = {}): Program {
  return startProgram(['node', ...builtStart, ...args], {
    env: { ...builtEnv, ...env },
    ...(cwd !== undefined && { cwd }),
  });
}
