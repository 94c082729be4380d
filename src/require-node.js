// Plain JavaScript without newer syntax: this file must run on unsupported Node versions.
import { existsSync } from 'node:fs';

const minimum = [22, 19];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < minimum[0] || (major === minimum[0] && minor < minimum[1])) {
  process.stderr.write(
    `Gengraph needs Node ${minimum.join('.')} or later, but this is Node ${process.versions.node}. ${advise()}\n`,
  );
  process.exit(1);
}

/** What helps depends on how the program was installed. */
function advise() {
  if (import.meta.url.includes('/node_modules/'))
    return 'Install a newer Node, or run "npx -p node@24 -p gengraph gengraph".';
  const isThere = (path) => existsSync(new URL(path, import.meta.url));
  if (isThere('../node_modules/node')) return 'Run "npm start", which uses the Node 24 in node_modules.';
  if (isThere('../node_modules'))
    return 'Install a newer Node, or run "npm ci" without --omit=dev, which installs Node 24 for npm start.';
  return 'Run "npm ci" (it installs Node 24 locally) or install a newer Node.';
}
