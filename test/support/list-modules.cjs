// Loaded before a program. Writes the addresses of the module files that it has loaded when it exits, one per line.
const { writeFileSync } = require('node:fs');
const { registerHooks } = require('node:module');

const addresses = [];
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:')) addresses.push(url);
    return nextLoad(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env.MODULES_FILE, addresses.join('\n')));
