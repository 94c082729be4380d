import type { z } from 'zod';
import { InvalidInputError, type InputIssue } from '../errors.ts';
import { asRecord, isRecord, stringifyJson } from '../lib/json.ts';
import { abbreviate, codePoints } from '../lib/text.ts';

/** A rule that looks at more than one member. Reports as many problems as it finds. */
export type CrossRule<Input> = (input: Input, report: Report) => void;

type Report = (path: readonly (string | number)[], issue: Omit<InputIssue, 'path'>) => void;

export interface InputLimits<Input> {
  /** Each member's own limit. */
  readonly members: z.ZodType;
  /** Run whatever the members' limits say: a validator that stops at the first kind of problem hides the rest. */
  readonly rules: readonly CrossRule<Input>[];
  /**
   * Every member that the gateway's document declares for the path, in wire spelling: `extra` may name none of them.
   * Also those that only another form of the request has: no limit is checked where they are added to this one.
   */
  readonly declared: readonly string[];
  /** Limits of the alternatives of a `@oneOf` input: each has an `extra` of its own. */
  readonly alternatives?: Alternatives<Input>;
}

/** Not distributed over the union that a `@oneOf` input is: each name stands for its own alternative. */
type Alternatives<Input> = {
  readonly [Name in Extract<keyof Input, string>]?: InputLimits<NonNullable<Input[Name]>>;
};

/**
 * Checks an input against all documented limits. What is wrong with the arguments beside it is reported along.
 * @throws InvalidInputError with every problem, in order of path
 */
export function checkInput<Input extends object>(
  limits: InputLimits<Input>,
  input: Input,
  argumentIssues: readonly InputIssue[] = [],
): void {
  const issues: InputIssue[] = [...argumentIssues];
  checkObject(limits, input, (path, issue) => {
    issues.push({ ...issue, path: ['input', ...path.map(String)] });
  });
  if (issues.length > 0) throw new InvalidInputError(issues.toSorted((a, b) => comparePaths(a.path, b.path)));
}

function checkObject<Input extends object>(limits: InputLimits<Input>, input: Input, report: Report): void {
  const result = limits.members.safeParse(input, { reportInput: true });
  for (const issue of result.error?.issues ?? []) report(issue.path.filter(isKey), toInputIssue(issue));
  for (const rule of limits.rules) rule(input, report);
  const members = asRecord(input) ?? {};
  checkExtra(members['extra'], limits.declared, report);
  // The type ties the limits of a name to the value of that name, which a loop over names cannot say.
  const alternatives = (limits.alternatives ?? {}) as Record<string, InputLimits<object>>;
  for (const [name, inner] of Object.entries(alternatives)) {
    const value = members[name];
    if (isRecord(value)) checkObject(inner, value, (path, issue) => report([name, ...path], issue));
  }
}

function checkExtra(extra: unknown, declared: readonly string[], report: Report): void {
  if (extra === null || extra === undefined) return;
  if (!isRecord(extra)) {
    report(['extra'], {
      message: 'Expected an object of members for the request body.',
      limit: 'an object',
      received: receivedText(extra),
    });
    return;
  }
  for (const [name, value] of Object.entries(extra)) {
    const message = problemOfExtra(name, declared);
    if (message === undefined) continue;
    report(['extra', name], { message, limit: 'undeclared members only', received: receivedText(value) });
  }
}

function problemOfExtra(name: string, declared: readonly string[]): string | undefined {
  // Nobody may turn a reply that is read as a whole into a stream.
  if (name === 'stream') return 'Whether it streams is decided by the operation.';
  if (!declared.includes(name)) return undefined;
  return `"${abbreviate(name, 100)}" is declared for this request; extra is for members that are not.`;
}

function isKey(key: PropertyKey): key is string | number {
  return typeof key !== 'symbol';
}

function toInputIssue(issue: z.core.$ZodIssue): Omit<InputIssue, 'path'> {
  const received = receivedText(issue.input);
  switch (issue.code) {
    case 'too_small': {
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
  return origin === 'array' || origin === 'set' ? ` item${ending}` : '';
}

/** The value as shown to the client: short, and for long text or lists only the size. */
export function receivedText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value.length > 100 ? `${codePoints(value)} characters` : value;
  if (Array.isArray(value)) return `${value.length} items`;
  return abbreviate(typeof value === 'bigint' ? value.toString() : stringifyJson(value), 100);
}

function comparePaths(left: readonly string[], right: readonly string[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const order = (left[index] ?? '').localeCompare(right[index] ?? '', 'en', { numeric: true });
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
