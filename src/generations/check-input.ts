import type { z } from 'zod';
import { InvalidInputError, type InputIssue } from '../errors.ts';
import { isObject, asRecord, isRecord, type JsonObject, stringifyJson } from '../lib/json.ts';
import { abbreviate, lengthText, toCamelCase } from '../lib/text.ts';
import { spellingsOf } from './member-name.ts';

/** A rule across members. Reports every problem that it finds. */
export type CrossRule<Input> = (input: Input, report: Report) => void;

/** A rule that JSON Schema can express too. Clients get the schema, and the statement as its description. */
export interface ExpressedRule<Input> {
  readonly check: CrossRule<Input>;
  /** For the input of the rule as a client sends it: with GraphQL's names of enum values, and without defaults. */
  readonly schema: JsonObject;
  /** Whether the schema expresses only a part, so that clients also get the statement as a rule in words. */
  readonly isPart?: true;
}

export type Report = (path: readonly (string | number)[], issue: Omit<InputIssue, 'path'>) => void;

export interface InputLimits<Input> {
  /** The limit of each member. */
  readonly members: z.ZodType;
  /**
   * Rules across members. The keys state the rules for clients. All rules run even when a member breaks its own limit, so
   * that all problems are reported at once. @default none
   */
  readonly rules?: Readonly<Record<string, CrossRule<Input> | ExpressedRule<Input>>>;
  /**
   * Wire names of all members that the gateway's document declares for the path, in any form of the request. `extra`
   * must not contain them in any spelling, because its members bypass the limits.
   */
  readonly declared: readonly string[];
  /**
   * Paths in this input of the declared members that are not the wire name in camelCase, by wire name. A member that only
   * another form of the request has is `<field> of <form>`. A refusal contains them.
   */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Limits of each alternative of a `@oneOf` input. Each alternative has its own `extra`. */
  readonly alternatives?: Alternatives<Input>;
}

/** Limits by alternative of a `@oneOf` input. `Extract` keeps the type from distributing over the union. */
type Alternatives<Input> = {
  readonly [Name in Extract<keyof Input, string>]?: InputLimits<NonNullable<Input[Name]>>;
};

/**
 * Checks an input against all documented limits. `argumentIssues` are problems of other arguments, reported together.
 * @throws InvalidInputError with every problem, sorted by path
 */
export function checkInput<Input extends object>(
  limits: InputLimits<Input>,
  input: Input,
  argumentIssues: readonly InputIssue[] = [],
): void {
  const issues: InputIssue[] = [...argumentIssues];
  const report: Report = (path, issue) => {
    issues.push({ ...issue, path: ['input', ...path.map(String)] });
  };
  checkObject(limits, input, report);
  const reported = new Set(issues.map(({ path }) => path.join('\n')));
  for (const path of findPrototypeMembers(asRecord(input) ?? {}))
    if (!reported.has(['input', ...path].join('\n'))) report(path, prototypeIssue);
  if (issues.length > 0) throw new InvalidInputError(issues.toSorted((a, b) => comparePaths(a.path, b.path)));
}

const prototypeIssue: Omit<InputIssue, 'path'> = {
  message: 'A member must not have the name "__proto__".',
  limit: 'another name',
};

/** A client chooses how many there are. */
const maxPrototypeMembers = 100;

/**
 * The paths of members named `__proto__`, at any depth. Programs that copy members one by one would take them for the
 * prototype of the object. (`constructor` and `prototype` are valid names, for example of arguments of a function.)
 */
function findPrototypeMembers(input: Members): readonly (readonly string[])[] {
  const found: string[][] = [];
  const path: string[] = [];
  const visit = (value: Members): void => {
    for (const name of Object.keys(value)) {
      if (found.length >= maxPrototypeMembers) return;
      path.push(name);
      if (name === '__proto__') found.push([...path]);
      else {
        const member = value[name];
        if (isObject(member)) visit(member);
      }
      path.pop();
    }
  };
  visit(input);
  return found;
}

type Members = Readonly<Record<string, unknown>>;

function checkObject<Input extends object>(limits: InputLimits<Input>, input: Input, report: Report): void {
  const result = limits.members.safeParse(input, { reportInput: true });
  for (const issue of result.error?.issues ?? []) report(issue.path.filter(isKey), toInputIssue(issue));
  for (const rule of Object.values(limits.rules ?? {})) {
    const check = typeof rule === 'function' ? rule : rule.check;
    check(input, report);
  }
  const members = asRecord(input) ?? {};
  checkExtra(members['extra'], limits, report);
  // The cast widens the type: in a loop, TypeScript cannot pair the limits of a name with the value of the same name.
  const alternatives = (limits.alternatives ?? {}) as Record<string, InputLimits<object>>;
  for (const [name, inner] of Object.entries(alternatives)) {
    const value = members[name];
    if (isRecord(value)) checkObject(inner, value, (path, issue) => report([name, ...path], issue));
  }
}

type ExtraLimits = Pick<InputLimits<never>, 'declared' | 'renamed'>;

function checkExtra(extra: unknown, limits: ExtraLimits, report: Report): void {
  if (extra === null || extra === undefined) return;
  if (!isRecord(extra)) {
    report(['extra'], {
      message: 'Expected an object of members for the request body.',
      limit: 'an object',
      received: receivedText(extra),
    });
    return;
  }
  const findProblem = extraProblems(limits);
  for (const [name, value] of Object.entries(extra)) {
    const message = findProblem(name);
    if (message === undefined) continue;
    report(['extra', name], { message, limit: 'undeclared members only', received: receivedText(value) });
  }
}

function extraProblems({ declared, renamed }: ExtraLimits): (name: string) => string | undefined {
  const findSpelling = spellingsOf(['stream', ...declared]);
  return (name) => {
    const wireName = findSpelling(name);
    if (wireName === undefined) return undefined;
    // It would turn a reply that is read as one document into a stream.
    if (wireName === 'stream') return 'The operation decides whether the reply streams. Remove this member.';
    const field = renamed?.[wireName] ?? toCamelCase(wireName);
    if (field.includes(' of ')) return `Only ${field} sets "${wireName}". Remove this member from extra.`;
    if (field !== wireName) return `The field ${field} sets "${wireName}". Remove this member from extra.`;
    if (wireName !== name)
      return `"${abbreviate(name, 100)}" can be read as "${wireName}", which is declared for this request; extra accepts undeclared members only.`;
    return `"${abbreviate(name, 100)}" is declared for this request; extra accepts undeclared members only.`;
  };
}

function isKey(key: PropertyKey): key is string | number {
  return typeof key !== 'symbol';
}

function toInputIssue(issue: z.core.$ZodIssue): Omit<InputIssue, 'path'> {
  const received = receivedText(issue.input);
  switch (issue.code) {
    case 'too_small': {
      // Blanks do not count.
      if (issue.origin === 'string' && issue.minimum === 1)
        return { message: 'Must not be blank.', limit: 'not blank', received };
      const limit = `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
      return { message: `Must be ${limit}.`, limit, received };
    }
    case 'too_big': {
      const limit = `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
      return { message: `Must be ${limit}.`, limit, received };
    }
    case 'custom': {
      const limit = issue.params?.['limit'];
      return { message: issue.message, received, ...(typeof limit === 'string' && { limit }) };
    }
    default:
      return { message: issue.message, received };
  }
}

function unitOf(origin: string, count: number | bigint): string {
  const ending = Number(count) === 1 ? '' : 's';
  if (origin === 'string') return ` character${ending}`;
  return origin === 'array' ? ` item${ending}` : '';
}

/** A received value as shown to the client: abbreviated. Long text and lists show only their size. */
export function receivedText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value.length > 100 ? lengthText(value) : value;
  if (Array.isArray(value)) return `${value.length}${unitOf('array', value.length)}`;
  return abbreviate(typeof value === 'bigint' ? value.toString() : stringifyJson(value), 100);
}

/** Several times faster than `localeCompare`. A client chooses how many problems there are. */
const collator = new Intl.Collator('en', { numeric: true });

function comparePaths(left: readonly string[], right: readonly string[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const order = collator.compare(left[index] ?? '', right[index] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
