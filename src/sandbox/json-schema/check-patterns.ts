import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { isRecord } from '../../lib/json.ts';
import { abbreviate } from '../../lib/text.ts';
import { UnsatisfiableSchema } from './schema.ts';

/** Limit for the product of the repetitions that contain each other. */
const maxNestedRepeats = 10_000;

/** These keywords hold values, not schemas. */
const valueKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/**
 * Refuses patterns that are too costly to match, before any is compiled or matched.
 * @throws UnsatisfiableSchema
 */
export function checkPatterns(schema: unknown): void {
  for (const pattern of new Set(findPatterns(schema))) {
    const root = parsePattern(pattern);
    if (root) checkNode(root, { pattern, repeats: 1 });
  }
}

function findPatterns(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(findPatterns);
  if (!isRecord(schema)) return [];
  const { pattern, patternProperties } = schema;
  const own = typeof pattern === 'string' ? [pattern] : [];
  const names = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
  const inner = Object.entries(schema).flatMap(([key, value]) =>
    valueKeywords.has(key) ? [] : findPatterns(value),
  );
  return [...own, ...names, ...inner];
}

/** Undefined for a malformed pattern, which is reported when it is used. */
function parsePattern(pattern: string): AST.Pattern | undefined {
  try {
    return new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
  } catch {
    return undefined;
  }
}

interface Surroundings {
  readonly pattern: string;
  /** The product of the repetitions around a node. */
  readonly repeats: number;
}

function checkNode(node: AST.Element | AST.Pattern, surroundings: Surroundings): void {
  if ('alternatives' in node) {
    for (const { elements } of node.alternatives)
      for (const element of elements) checkNode(element, surroundings);
  } else if (node.type === 'Quantifier') {
    checkQuantifier(node, surroundings);
  }
}

function checkQuantifier(node: AST.Quantifier, { pattern, repeats }: Surroundings): void {
  const own = Math.max(1, node.max === Infinity ? node.min : node.max);
  if (repeats > 1 && repeats * own > maxNestedRepeats)
    throw new UnsatisfiableSchema(
      `pattern ${abbreviate(pattern, 100)} has nested repetitions of more than ${maxNestedRepeats} in total: reduce their counts`,
    );
  if (isUnbounded(node) && repeatsAlone(node.element))
    throw new UnsatisfiableSchema(
      `pattern ${abbreviate(pattern, 100)} repeats a repetition without a limit, as in (a+)+: remove one of them`,
    );
  checkNode(node.element, { pattern, repeats: repeats * own });
}

/** Whether an unbounded repetition alone can match a node. If it is repeated again, one text has exponentially many matches. */
function repeatsAlone(node: AST.Element): boolean {
  if (node.type === 'Quantifier') return isUnbounded(node) || repeatsAlone(node.element);
  if (node.type !== 'Group' && node.type !== 'CapturingGroup') return false;
  return node.alternatives.some(
    ({ elements: [only, ...others] }) => only && others.length === 0 && repeatsAlone(only),
  );
}

function isUnbounded({ max }: AST.Quantifier): boolean {
  return max === Infinity;
}
