import { createHash } from 'node:crypto';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

/** A small fault in one place of a file. */
export interface Mutant {
  /** Of its path, line and fault. It stays the same while other lines change. */
  readonly id: string;
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly mutated: string;
  /** A statement that is left out, instead of an expression that is replaced. */
  readonly isStatement: boolean;
  /** Outside of functions: it runs when the module loads. */
  readonly isStatic: boolean;
}

type Range = Pick<ESTree.Expression, 'start' | 'end'>;

const operators = new Map(
  Object.entries({
    '===': '!==',
    '!==': '===',
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '+': '-',
    '-': '+',
    '*': '/',
    '/': '*',
    '%': '*',
    '&&': '||',
    '||': '&&',
    '??': '&&',
    '+=': '-=',
    '-=': '+=',
  }),
);

const methods = new Map(
  Object.entries({
    some: 'every',
    every: 'some',
    min: 'max',
    max: 'min',
    startsWith: 'endsWith',
    endsWith: 'startsWith',
  }),
);

/** Methods whose call is replaced by the value that they are called on. */
const omittedCalls = new Set(['filter', 'toSorted', 'toReversed', 'trim', 'toLowerCase']);

/**
 * Faults that the types allow: another operator, a condition that is constant, a call that is missing, an empty list. Texts stay
 * as they are.
 */
export function findMutants(path: string, text: string): readonly Mutant[] {
  const found: Omit<Mutant, 'id' | 'path' | 'original' | 'isStatic'>[] = [];
  const functions: Range[] = [];
  const types: Range[] = [];
  const read = ({ start, end }: Range): string => text.slice(start, end);
  const replace = ({ start, end }: Range, mutated: string): void =>
    void found.push({ start, end, mutated, isStatement: false });
  const replaceCondition = (condition: Range): void => {
    replace(condition, 'true');
    replace(condition, 'false');
  };
  const replaceOperator = (node: Range & { readonly operator: string }, left: Range, right: Range): void => {
    const operator = operators.get(node.operator);
    const isText = /['"`]/.test(read(node)) && node.operator.startsWith('+');
    if (operator === undefined || isText) return;
    // The left side of an assignment takes no parentheses.
    const first = isAssignment(node) ? read(left) : `(${read(left)})`;
    replace(node, `${first} ${operator} (${read(right)})`);
  };
  const noteFunction = (node: Range): void => void functions.push(node);
  const noteType = (node: Range): void => void types.push(node);
  new Visitor({
    ArrowFunctionExpression: noteFunction,
    FunctionDeclaration: noteFunction,
    FunctionExpression: noteFunction,
    TSTypeAnnotation: noteType,
    TSTypeAliasDeclaration: noteType,
    TSInterfaceDeclaration: noteType,
    TSTypeParameterInstantiation: noteType,
    TSAsExpression: ({ typeAnnotation }) => noteType(typeAnnotation),
    TSSatisfiesExpression: ({ typeAnnotation }) => noteType(typeAnnotation),
    IfStatement: ({ test }) => replaceCondition(test),
    ConditionalExpression: ({ test }) => replaceCondition(test),
    BinaryExpression: (node) => replaceOperator(node, node.left, node.right),
    LogicalExpression: (node) => replaceOperator(node, node.left, node.right),
    AssignmentExpression: (node) => replaceOperator(node, node.left, node.right),
    UpdateExpression: (node) => {
      const argument = read(node.argument);
      const operator = node.operator === '++' ? '--' : '++';
      replace(node, node.prefix ? operator + argument : argument + operator);
    },
    UnaryExpression: (node) => {
      if (node.operator === '!') replace(node, read(node.argument));
    },
    Literal: (node) => {
      if (typeof node.value === 'boolean') replace(node, String(!node.value));
    },
    ArrayExpression: (node) => {
      if (node.elements.length > 0) replace(node, '[]');
    },
    CallExpression: (node) => {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      // A part of a chain is no expression of its own.
      if (read(callee).includes('?.')) return;
      const other = methods.get(callee.property.name);
      if (other !== undefined)
        replace(
          node,
          text.slice(node.start, callee.property.start) + other + text.slice(callee.property.end, node.end),
        );
      if (omittedCalls.has(callee.property.name)) replace(node, read(callee.object));
    },
    ExpressionStatement: (node) => {
      const expression =
        node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression;
      if (expression.type === 'CallExpression' && expression.callee.type !== 'Super')
        found.push({ start: node.start, end: node.end, mutated: '', isStatement: true });
    },
  }).visit(parseSync(path, text).program);
  const isWithin = (ranges: readonly Range[], { start, end }: Range): boolean =>
    ranges.some((range) => range.start <= start && end <= range.end);
  const equal = new Map<string, number>();
  const identify = (mutant: Range & Pick<Mutant, 'mutated'>): string => {
    const before = text.slice(0, mutant.start).split('\n').at(-1) ?? '';
    const [after = ''] = text.slice(mutant.start).split('\n');
    const fault = JSON.stringify([path, (before + after).trim(), read(mutant), mutant.mutated]);
    const place = equal.get(fault) ?? 0;
    equal.set(fault, place + 1);
    return createHash('sha256').update(`${fault} ${place}`).digest('hex').slice(0, 16);
  };
  return found
    .filter((mutant) => !isWithin(types, mutant))
    .map((mutant) => ({
      ...mutant,
      id: identify(mutant),
      path,
      original: read(mutant),
      isStatic: !isWithin(functions, mutant),
    }));
}

/** The text with all its mutants, which must not overlap. `isActive` of the run chooses one of them by its id. */
export function addMutants(text: string, mutants: readonly Mutant[]): string {
  const backward = mutants.toSorted((one, other) => other.start - one.start);
  return backward.reduce((result, { id, start, end, original, mutated, isStatement }) => {
    const isActive = `globalThis.isActiveMutant?.('${id}')`;
    // In a block: an `else` that follows belongs to another `if`.
    const both = isStatement
      ? `{ if (!${isActive}) { ${original} } }`
      : `(${isActive} ? (${mutated}) : (${original}))`;
    return result.slice(0, start) + both + result.slice(end);
  }, text);
}

function isAssignment({ operator }: { readonly operator: string }): boolean {
  return operator === '+=' || operator === '-=';
}
