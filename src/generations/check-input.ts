import type { z } from 'zod';
import { InvalidInputError, type InputIssue } from '../errors.ts';
import { isRecord, stringifyJson } from '../lib/json.ts';
import { abbreviate, codePoints } from '../lib/text.ts';

/** A rule that looks at more than one member. Reports as many problems as it finds. */
export type CrossRule<Input> = (
  input: Input,
  report: (path: readonly (string | number)[], issue: Omit<InputIssue, 'path'>) => void,
) => void;

export interface InputLimits<Input> {
  /** Each member's own limit. */
  readonly members: z.ZodType;
  /** Run whatever the members' limits say: a validator that stops at the first kind of problem hides the rest. */
  readonly rules: readonly CrossRule<Input>[];
  /** Every member that the gateway's document declares, in wire spelling: `extra` may name none of them. */
  readonly declared: readonly string[];
  /** The same for each alternative of a `@oneOf` that has an `extra` of its own. @default none */
  readonly alternatives?: Readonly<Record<string, readonly string[]>>;
}

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
  const report = (path: readonly (string | number)[], issue: Omit<InputIssue, 'path'>): void => {
    issues.push({ ...issue, path: ['input', ...path.map(String)] });
  };
  const result = limits.members.safeParse(input, { reportInput: true });
  for (const issue of result.error?.issues ?? []) report(issue.path.filter(isKey), toInputIssue(issue));
  for (const rule of limits.rules) rule(input, report);
  checkExtra(input, limits.declared, report);
  for (const [name, declared] of Object.entries(limits.alternatives ?? {})) {
    checkExtra(isRecord(input) ? input[name] : undefined, declared, (path, issue) =>
      report([name, ...path], issue),
    );
  }
  if (issues.length > 0) throw new InvalidInputError(issues.toSorted((a, b) => comparePaths(a.path, b.path)));
}

function checkExtra(
  holder: unknown,
  declared: readonly string[],
  report: Parameters<CrossRule<unknown>>[1],
): void {
  const extra = isRecord(holder) ? holder['extra'] : undefined;
  if (extra === null || extra === undefined) return;
  if (!isRecord(extra)) {
    report(['extra'], {
      message: 'Expected an object of members for the request body.',
      limit: 'an object',
      received: receivedText(extra),
    });
    return;
  }
  for (const name of Object.keys(extra)) {
    // Nobody may turn a reply that is read as a whole into a stream.
    if (name === 'stream' || declared.includes(name)) {
      report(['extra', name], {
        message: `"${name}" has a place of its own; extra is for members that are not declared.`,
        received: name,
      });
    }
  }
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
