// Plain JavaScript without newer syntax: this file must run on unsupported Node versions.
const minimum = [22, 19];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < minimum[0] || (major === minimum[0] && minor < minimum[1])) {
  process.stderr.write(
    `Gengraph needs Node ${minimum.join('.')} or later, but this is Node ${process.versions.node}. ` +
      'Run "npm ci" (it installs Node 24 locally) or install a newer Node.\n',
  );
  process.exit(1);
}
