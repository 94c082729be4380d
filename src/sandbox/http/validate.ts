import type { z } from 'zod';
import { invalidRequest } from './errors.ts';

const maxProblems = 10;

/** Decodes a value by its schema, or refuses the request with a message that names each wrong member. */
export function decodeStrictly<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole = 'the body',
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap((issue) => listProblems(issue, []));
  const messages = problems.map(({ path, message }) => {
    const text = isMissing(value, path) ? 'is required' : message;
    return `${path.length === 0 ? whole : formatPath(path)}: ${text}`;
  });
  throw invalidRequest(messages.slice(0, maxProblems).join('; '));
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function listProblems(issue: z.core.$ZodIssue, prefix: readonly PropertyKey[]): Problem[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: 'unknown member' }));
  }
  if (issue.code === 'invalid_union') {
    // The alternative whose own type fits is the one that was meant.
    const meant = issue.errors.find((issues) => !issues.some(isWrongTypeItself));
    if (meant && meant.length > 0) return meant.flatMap((inner) => listProblems(inner, path));
  }
  return [{ path, message: issue.message.replace(/^(Invalid (input|option)|Too (big|small)): /, '') }];
}

function isWrongTypeItself(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let member = value;
  for (const key of path) {
    if (typeof member !== 'object' || member === null) return false;
    member = (member as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return member === undefined;
}

/** `messages[0].content` */
function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return text;
}
