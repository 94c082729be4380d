#!/usr/bin/env node
// Plain JavaScript: the version check must run before any file that an old Node cannot parse.
import './require-node.js';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Keeps compiled code for the next start. Without the directory the program starts as usual, only later.
try {
  module.enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'gengraph'));
} catch {
  // A user without a home directory.
}

// Suppress the warnings of Node 22 that type stripping and SQLite are experimental.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  const isSuppressed =
    warning.name === 'ExperimentalWarning' && /^(SQLite|Type Stripping) /.test(warning.message);
  if (!isSuppressed) process.stderr.write(`${warning.name}: ${warning.message}\n`);
});

// The build output contains .js files, the repository .ts files.
const extension = /\/dist\/[^/]*$/.test(import.meta.url) ? 'js' : 'ts';
// A project that uses the package may have no lock file, which `npm ci` needs.
const installCommand = import.meta.url.includes('/node_modules/gengraph/') ? 'npm install' : 'npm ci';
const isSandbox = process.argv[2] === 'sandbox' && process.argv.length === 3;
const isContract = process.argv[2] === 'contract';
const program = isSandbox ? 'sandbox/main' : isContract ? 'contract/main' : 'main';

import(new URL(`./${program}.${extension}`, import.meta.url).href)
  .then((module) => module.main?.())
  .catch((error) => {
    const isMissingPackage =
      error?.code === 'ERR_MODULE_NOT_FOUND' && !String(error.message).includes(`${program}.${extension}`);
    process.stderr.write(
      isMissingPackage
        ? `A package is missing. Run "${installCommand}" first. (${error.message})\n`
        : `${error?.stack ?? error}\n`,
    );
    process.exitCode = 1;
  });
