import { z } from 'zod';
import { invalidRequest } from './errors.ts';

const maxProblems = 10;

/** Decodes a value by its schema, or refuses the request with a message that names each wrong member. */
export function decodeStrictly<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole = 'the body',
): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap((issue) => listProblems(issue, []));
  const messages = problems.map(({ path, message }) => `${z.core.toDotPath(path) || whole}: ${message}`);
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
  if (issue.input === undefined) return [{ path, message: 'is required' }];
  if (issue.code === 'invalid_union') {
    // Report the problems of the alternative whose own type matches the value.
    const meant = issue.errors.find((issues) => !issues.some(isWrongTypeItself));
    if (meant && meant.length > 0) return meant.flatMap((inner) => listProblems(inner, path));
  }
  return [{ path, message: issue.message.replace(/^(Invalid (input|option)|Too (big|small)): /, '') }];
}

function isWrongTypeItself(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}
