import { distance } from 'fastest-levenshtein';

/** Values as set: names in upper case, without empty ones. */
export type Settings = Readonly<Record<string, string>>;

/** What each setting alone cannot show: misspelt names, and combinations that contradict each other. One line each. */
export function findProblems(set: Settings, known: ReadonlySet<string>): readonly string[] {
  return [...findMisspelled(set, known), ...findGatewayProblems(set), ...findPollProblems(set)];
}

/** Longest distance of a misspelled name: two characters that are wrong, missing, added or swapped. */
const maxDistance = 2;
/** Shorter names of other programs are similar by chance. */
const minLength = 8;

/** OpenTelemetry's variables differ in few characters from each other. */
function isOfOthers(name: string): boolean {
  return name.length < minLength || name.startsWith('OTEL_');
}

/** A name that is unknown, similar to a setting, and set instead of it. */
function findMisspelled(set: Settings, known: ReadonlySet<string>): readonly string[] {
  return Object.keys(set).flatMap((name) => {
    if (known.has(name) || isOfOthers(name)) return [];
    const similar = [...known].filter(
      (setting) =>
        !isOfOthers(setting) &&
        set[setting] === undefined &&
        distance(name.toUpperCase(), setting) <= maxDistance,
    );
    const [best] = similar.toSorted((one, other) => distance(name, one) - distance(name, other));
    return best === undefined ? [] : [`${name} is unknown; ${best}?`];
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

function findPollProblems({
  TASK_POLL_SECONDS: first = '1',
  TASK_POLL_MAX_SECONDS: longest = '15',
}: Settings): readonly string[] {
  return Number(first) > Number(longest)
    ? [`TASK_POLL_SECONDS=${first}: expected at most TASK_POLL_MAX_SECONDS, ${longest}`]
    : [];
}
