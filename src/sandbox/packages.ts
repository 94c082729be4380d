/** Packages that only the sandbox imports. They are optional dependencies of the project. */
export const sandboxPackages = [
  '@breezystack/lamejs',
  '@cfworker/json-schema',
  '@eslint-community/regexpp',
  '@hono/node-server',
  'h264-mp4-encoder',
  'hono',
  'mediabunny',
  'sharp',
] as const;

/**
 * The packages of the sandbox that are not installed, and the command that installs them. Undefined if all are installed.
 * @throws the resolver's own error when the required dependencies are not installed either
 */
export function explainMissingPackages(
  resolve: (name: string) => unknown = (name) => import.meta.resolve(name),
  location: string = import.meta.url,
): string | undefined {
  resolve('zod');
  const missing = sandboxPackages.filter((name) => !canResolve(name, resolve));
  if (missing.length === 0) return undefined;
  // In a project that uses the package, `npm ci` needs a lock file of that project.
  const command = location.includes('/node_modules/gengraph/') ? 'npm install' : 'npm ci';
  return `the sandbox needs packages that are not installed (${missing.join(', ')}): run "${command} --include=optional"`;
}

function canResolve(name: string, resolve: (name: string) => unknown): boolean {
  try {
    resolve(name);
    return true;
  } catch {
    return false;
  }
}
