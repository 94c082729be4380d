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
  const problems = result.error.issues.flatMap((issue) => describeIssue(issue, [], whole));
  throw invalidRequest(problems.slice(0, maxProblems).join('; '));
}

function describeIssue(issue: z.core.$ZodIssue, prefix: readonly PropertyKey[], whole: string): string[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${formatPath([...path, key], whole)}: unknown member`);
  }
  if (issue.code === 'invalid_union') {
    // The alternative whose own type fits is the one that was meant.
    const meant = issue.errors.find((issues) => !issues.some(isWrongTypeItself));
    if (meant && meant.length > 0) return meant.flatMap((inner) => describeIssue(inner, path, whole));
  }
  return [`${formatPath(path, whole)}: ${toMessage(issue)}`];
}

function isWrongTypeItself(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

function toMessage(issue: z.core.$ZodIssue): string {
  if (issue.message.endsWith('received undefined')) return 'is required';
  return issue.message.replace(/^(Invalid (input|option)|Too (big|small)): /, '');
}

/** `messages[0].content` */
export function formatPath(path: readonly PropertyKey[], whole: string): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return text === '' ? whole : text;
}
