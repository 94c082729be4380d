#!/usr/bin/env node
// Plain JavaScript: the check must run, and say its one line, before anything that an old Node cannot read.
import './require-node.js';

// Node 22 says at every start that type stripping and SQLite are experimental; that is not news to an operator.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  const isNoNews =
    warning.name === 'ExperimentalWarning' && /^(SQLite|Type Stripping) /.test(warning.message);
  if (!isNoNews) process.stderr.write(`${warning.name}: ${warning.message}\n`);
});

// The built program has .js beside it, the repository has .ts.
const ending = /\/dist\/[^/]*$/.test(import.meta.url) ? 'js' : 'ts';
const program = process.argv[2] === 'sandbox' ? 'sandbox/main' : 'main';

import(new URL(`./${program}.${ending}`, import.meta.url).href)
  .then((module) => module.main?.())
  .catch((error) => {
    const isMissingPackage =
      error?.code === 'ERR_MODULE_NOT_FOUND' && !String(error.message).includes(`${program}.${ending}`);
    process.stderr.write(
      isMissingPackage
        ? `A package is missing: run "npm ci" first. (${error.message})\n`
        : `${error?.stack ?? error}\n`,
    );
    process.exitCode = 1;
  });
