import { distance } from 'fastest-levenshtein';
import { findFileProblems } from './file-settings.ts';

/** Values as set: names in upper case, without empty ones. */
export type Settings = Readonly<Record<string, string>>;

/** What each setting alone cannot show: misspelt names, and combinations that contradict each other. One line each. */
export function findProblems(set: Settings, known: ReadonlySet<string>): readonly string[] {
  return [
    ...findMisspelled(set, known),
    ...findGatewayProblems(set),
    ...findPortProblems(set),
    ...findContradictions(set),
    ...findMissing(set),
    ...findFileProblems(set),
  ];
}

/** Longest distance of a misspelled name: two characters that are wrong, missing, added or swapped. */
const maxDistance = 2;
/** Shorter names of other programs are similar by chance. */
const minLength = 8;

/** OpenTelemetry's variables differ in few characters from each other. The sandbox alone reads SANDBOX_HOST. */
function isOfOthers(name: string): boolean {
  return name.length < minLength || name.startsWith('OTEL_') || name === 'SANDBOX_HOST';
}

/** Settings with fewer words are too similar to names of other programs. */
const minWords = 4;
/** Smallest share of words that a misspelled name has in common with the setting. */
const minShare = 3 / 4;

/** Whether two words are equal, or one is a short form of the other, such as MIN of MINUTE. */
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  return Math.min(one.length, other.length) >= 3 && (one.startsWith(other) || other.startsWith(one));
}

/** The number of words that two names share in the same order. */
function countShared(one: readonly string[], other: readonly string[]): number {
  const [first, ...rest] = one;
  if (first === undefined) return 0;
  const at = other.findIndex((word) => isSameWord(first, word));
  const skipping = countShared(rest, other);
  return at < 0 ? skipping : Math.max(skipping, 1 + countShared(rest, other.slice(at + 1)));
}

/** The share of words that a name has in common with a setting, if it is likely to mean that setting. */
function similarityOfWords(name: string, setting: string): number {
  // Most names of other programs.
  if (name[0] !== setting[0] && !setting.endsWith(`_${name}`)) return 0;
  const words = name.split('_');
  const expected = setting.split('_');
  if (words.length < 2 || expected.length < minWords) return 0;
  // Without its last words, such as MAX_RUNNING.
  if (setting.startsWith(`${name}_`))
    return words.length * 2 >= expected.length ? words.length / expected.length : 0;
  const hasSameStart = isSameWord(words[0] ?? '', expected[0] ?? '');
  if (!hasSameStart && !setting.endsWith(`_${name}`)) return 0;
  // Bounds the comparison too.
  if (words.length * minShare > expected.length) return 0;
  const share = countShared(words, expected) / Math.max(words.length, expected.length);
  return share >= minShare ? share : 0;
}

/** A name that is unknown, similar to a setting, and set instead of it. */
function findMisspelled(set: Settings, known: ReadonlySet<string>): readonly string[] {
  const unset = [...known].filter((setting) => !isOfOthers(setting) && set[setting] === undefined);
  return Object.keys(set).flatMap((name) => {
    if (known.has(name) || isOfOthers(name)) return [];
    const upper = name.toUpperCase();
    const [best] = unset
      .map((setting) => {
        const likeness = similarityOfWords(upper, setting);
        const isPossible = likeness > 0 || Math.abs(upper.length - setting.length) <= maxDistance;
        return { setting, likeness, distance: isPossible ? distance(upper, setting) : Infinity };
      })
      .filter((similar) => similar.distance <= maxDistance || similar.likeness > 0)
      .toSorted(
        (one, other) =>
          Number(other.distance <= maxDistance) - Number(one.distance <= maxDistance) ||
          other.likeness - one.likeness ||
          one.distance - other.distance,
      );
    return best === undefined ? [] : [`${name} is unknown; ${best.setting}?`];
  });
}

function findGatewayProblems(set: Settings): readonly string[] {
  const { GATEWAY_URL: gateway, SANDBOX: sandbox, NODE_ENV: environment } = set;
  if (gateway !== undefined && sandbox === 'on')
    return ['SANDBOX=on: expected no GATEWAY_URL, because the sandbox takes its place'];
  if (gateway !== undefined || sandbox === 'on') return [];
  if (sandbox === 'off')
    return ['SANDBOX=off: expected GATEWAY_URL, the gateway to use instead of the sandbox'];
  return environment === 'production'
    ? ['NODE_ENV=production: expected GATEWAY_URL, or SANDBOX=on to run on the sandbox']
    : [];
}

/** Settings without a default contradict nothing, if they are not set: the smaller limit, or the shorter time, applies. */
function findContradictions({
  TASK_POLL_SECONDS: first = '1',
  TASK_POLL_MAX_SECONDS: longest = '15',
  CHAT_ACCEPT_SECONDS: accept,
  CHAT_DETACH_SECONDS: detach = '120',
  MAX_UNSENT_BYTES_PER_OWNER: owner,
  MAX_UNSENT_BYTES: all = '268435456',
  GENERATION_DAYS: days,
  IDEMPOTENCY_HOURS: hours = '168',
  TRUSTED_DOCUMENTS_FILES: files,
  TRUSTED_DOCUMENTS: mode = 'off',
}: Settings): readonly string[] {
  // A comparison with what is not set is false.
  return [
    Number(first) > Number(longest) &&
      `TASK_POLL_SECONDS=${first}: expected at most TASK_POLL_MAX_SECONDS, ${longest}`,
    Number(accept) >= Number(detach) &&
      `CHAT_ACCEPT_SECONDS=${accept}: expected less than CHAT_DETACH_SECONDS, ${detach}`,
    Number(owner) > Number(all) &&
      `MAX_UNSENT_BYTES_PER_OWNER=${owner}: expected at most MAX_UNSENT_BYTES, ${all}`,
    Number(days) * 24 < Number(hours) &&
      `GENERATION_DAYS=${days}: expected at least IDEMPOTENCY_HOURS, ${hours} hours`,
    files !== undefined &&
      mode === 'off' &&
      'TRUSTED_DOCUMENTS=off: expected no TRUSTED_DOCUMENTS_FILES, because it has no effect: set TRUSTED_DOCUMENTS=allow or TRUSTED_DOCUMENTS=only, or remove it',
  ].filter((problem) => problem !== false);
}

interface Address {
  readonly setting: string;
  readonly port: string;
  readonly host: string;
}

/** Whether two servers cannot both listen. Port 0 is any free port. */
function isSameAddress(one: Address, other: Address): boolean {
  const includes = (host: string, part: string): boolean =>
    host === part || host === '::' || (host === '0.0.0.0' && !part.includes(':'));
  const hasSameHost = includes(one.host, other.host) || includes(other.host, one.host);
  return hasSameHost && Number(one.port) === Number(other.port) && Number(one.port) !== 0;
}

function findPortProblems({
  PORT: port = '4000',
  HOST: host = '127.0.0.1',
  METRICS_PORT: metricsPort = '0',
  METRICS_HOST: metricsHost = host,
  SANDBOX_PORT: sandboxPort = '4010',
  GATEWAY_URL: gateway,
}: Settings): readonly string[] {
  const main = { setting: 'PORT', port, host };
  const metrics = { setting: 'METRICS_PORT', port: metricsPort, host: metricsHost };
  const sandboxHost = host === '0.0.0.0' || host === '::' ? host : '127.0.0.1';
  const sandbox = {
    setting: 'SANDBOX_PORT',
    port: gateway === undefined ? sandboxPort : '0',
    host: sandboxHost,
  };
  const pairs: readonly (readonly [Address, Address])[] = [
    [metrics, main],
    [main, sandbox],
    [metrics, sandbox],
  ];
  return pairs
    .filter(([one, other]) => isSameAddress(one, other))
    .map(
      ([one, other]) =>
        `${one.setting}=${one.port}: expected another port than ${other.setting}, ${other.port}`,
    );
}

/** Settings that have no effect without another one. */
const needed = [
  ['DATABASE_LISTEN_URL', 'DATABASE_URL'],
  ['METRICS_HOST', 'METRICS_PORT'],
  ['FILES_DIR', 'FILES'],
  ['FILES_S3_BUCKET', 'FILES'],
  ['OWNER_WEBHOOK_HOSTS', 'OWNER_WEBHOOKS'],
] as const;

function findMissing(set: Settings): readonly string[] {
  return needed
    .filter(([name, other]) => set[name] !== undefined && set[other] === undefined)
    .map(([name, other]) => `${name} has no effect without ${other}: set both, or remove it`);
}
