// Plain JavaScript without newer syntax: it must run on the Node versions that it turns away.
const minimum = [22, 19];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < minimum[0] || (major === minimum[0] && minor < minimum[1])) {
  process.stderr.write(
    `Gengraph needs Node ${minimum.join('.')} or later, this is ${process.versions.node}: ` +
      'run "npm ci" (it brings its own Node 24) or install a newer Node.\n',
  );
  process.exit(1);
}
