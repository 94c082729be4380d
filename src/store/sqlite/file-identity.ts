import { statSync } from 'node:fs';

/** Identifies a file independently of its path. Undefined if the path has no file. */
export function fileIdentity(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}
