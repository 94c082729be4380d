import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigError, settingNames } from './config.ts';
import { abbreviate } from './lib/text.ts';
import { messageOf } from './lib/thrown.ts';

/** Adds variables from files. Variables that are set take precedence, then the last file. @throws ConfigError if a file cannot be read */
export function loadEnvFiles(files: readonly string[]): void {
  for (const file of files.toReversed()) readingFile(file, () => process.loadEnvFile(file));
}

/** A warning for each line that Node skips, or that systemd or docker read differently. It does not show the line. */
export function findBadLines(files: readonly string[]): readonly string[] {
  return files.flatMap((file) =>
    readingFile(file, () => readFileSync(file, 'utf8').split(/\r?\n/)).flatMap((line, index) => {
      const problem = problemOf(line);
      return problem === undefined ? [] : [`Warning: line ${index + 1} of ${file} ${problem}`];
    }),
  );
}

const assignment = /^[a-z_][\w.-]*=(?<value>.*)$/i;

function problemOf(text: string): string | undefined {
  if (text.startsWith('\uFEFF'))
    return 'begins with a byte order mark, which becomes part of the name: save the file as UTF-8 without it';
  const line = text.trim();
  if (line === '' || line.startsWith('#')) return undefined;
  if (/^export\s/.test(line)) return 'begins with export, which systemd and docker do not accept: remove it';
  const value = assignment.exec(line)?.groups?.['value']?.trim();
  if (value === undefined) return 'is not NAME=value';
  if (/^["'`]/.test(value)) return 'has quotes, which docker makes part of the value: remove them';
  return value.includes('#')
    ? 'has a # after NAME=, where Node ends the value, and systemd and docker do not: move the comment to its own line, or write %23 in a URL'
    : undefined;
}

/** Variables that Node, its packages and OpenTelemetry read, and those of shells and proxies. */
const ofOthers =
  /^(NODE_|npm_|OTEL_|UV_|XDG_|SSL_CERT_|PG|LC_|SANDBOX_HOST$|(HTTPS?|NO|ALL)_PROXY$|(PATH|HOME|LANG|TZ|TMPDIR|USER|DEBUG)$)/i;

/** A line for each variable of the files that is no setting. Such a file has no variables of other programs. */
export function findUnknownNames(files: readonly string[]): readonly string[] {
  const known = new Set(settingNames());
  return files.flatMap((file) =>
    readingFile(file, () => Object.keys(parseEnv(readFileSync(file, 'utf8'))))
      .filter((name) => !known.has(name) && !ofOthers.test(name))
      .map((name) => `Warning: ${toPrintableName(name)} in ${file} is not a setting. See --help`),
  );
}

/** In a malformed line, such as `NAME: value`, the name contains a part of the value, which may be a secret. */
function toPrintableName(name: string): string {
  const [start = ''] = /^(?:[A-Z\d_]+|[a-z\d_]+)(?!\w)/.exec(name) ?? [];
  return start === name ? abbreviate(name, 50) : `${abbreviate(start, 49)}…`;
}

function readingFile<Result>(file: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw new ConfigError(`Cannot read --env-file ${file}: ${messageOf(cause)}`, { cause });
  }
}
