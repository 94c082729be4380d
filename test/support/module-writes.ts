import { type Identifier, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  isArrayBindingPattern,
  isAssignmentOperator,
  isBinaryExpression,
  isCallExpression,
  isClassDeclaration,
  isDeleteExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isIdentifier,
  isImportDeclaration,
  isNamedImports,
  isObjectBindingPattern,
  isPostfixUnaryExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isVariableStatement,
} from 'typescript/unstable/ast/is';
import type { Checker } from 'typescript/unstable/sync';
import type { Finding } from './module-state.ts';

/** Methods of arrays, maps and sets that write. */
const writingMethods: ReadonlySet<string> = new Set(
  'add clear copyWithin delete fill pop push reverse set shift sort splice unshift'.split(' '),
);
/** Calls that return a part of what they are called on. */
const readingMethods: ReadonlySet<string> = new Set(['at', 'find', 'findLast', 'get', 'values']);

/** Writes, anywhere in a file, to what one of its own module-level names or imports holds. */
export function findWrites(file: SourceFile, checker: Checker): readonly Finding[] {
  const writes: { readonly node: Node; readonly name: Identifier }[] = [];
  const visit = (node: Node): void => {
    const target = writtenBy(node);
    const name = target && rootOf(target);
    if (name) writes.push({ node, name });
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  const names = file.statements.flatMap(namesOf);
  const symbols = checker.getSymbolAtLocation([...writes.map(({ name }) => name), ...names]);
  const own = new Set(symbols.slice(writes.length).flatMap((symbol) => symbol?.id ?? []));
  return writes.flatMap(({ node, name }, index) => {
    const symbol = symbols[index];
    return symbol && own.has(symbol.id)
      ? [{ node, reason: `writes to ${name.text}, which is module-level` }]
      : [];
  });
}

/** The expression that a node writes to; undefined when it writes nothing. */
function writtenBy(node: Node): Node | undefined {
  if (isBinaryExpression(node)) return isAssignmentOperator(node.operatorToken.kind) ? node.left : undefined;
  if (isPostfixUnaryExpression(node)) return node.operand;
  if (isPrefixUnaryExpression(node)) {
    const isStep = node.operator === SyntaxKind.PlusPlusToken || node.operator === SyntaxKind.MinusMinusToken;
    return isStep ? node.operand : undefined;
  }
  if (isDeleteExpression(node)) return node.expression;
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: object, name } = node.expression;
  if (writingMethods.has(name.text)) return object;
  const isOfObject = /^(Object|Reflect)\.(assign|define\w+|set\w*)$/.test(node.expression.getText());
  return isOfObject ? node.arguments[0] : undefined;
}

/** The name that an expression begins with: `state` of `state.parts[0]` and of `state.get(key)`. */
function rootOf(node: Node): Identifier | undefined {
  if (isIdentifier(node)) return node;
  if (isPropertyAccessExpression(node) || isElementAccessExpression(node)) return rootOf(node.expression);
  if (isCallExpression(node)) {
    const { expression: callee } = node;
    return isPropertyAccessExpression(callee) && readingMethods.has(callee.name.text)
      ? rootOf(callee.expression)
      : undefined;
  }
  const isWrapper =
    node.kind === SyntaxKind.ParenthesizedExpression ||
    node.kind === SyntaxKind.AsExpression ||
    node.kind === SyntaxKind.SatisfiesExpression ||
    node.kind === SyntaxKind.NonNullExpression;
  return isWrapper ? node.forEachChild(rootOf) : undefined;
}

/** The names that a module-level statement declares or imports. */
function namesOf(statement: Node): readonly Identifier[] {
  if (isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => boundBy(name));
  if (isFunctionDeclaration(statement) || isClassDeclaration(statement))
    return statement.name ? [statement.name] : [];
  if (!isImportDeclaration(statement) || !statement.importClause) return [];
  const { name, namedBindings } = statement.importClause;
  const named = namedBindings && isNamedImports(namedBindings) ? namedBindings.elements : [];
  const all = namedBindings && !isNamedImports(namedBindings) ? [namedBindings.name] : [];
  return [...(name ? [name] : []), ...all, ...named.map((element) => element.name)];
}

function boundBy(name: Node | undefined): readonly Identifier[] {
  if (!name) return [];
  if (isIdentifier(name)) return [name];
  return isObjectBindingPattern(name) || isArrayBindingPattern(name)
    ? name.elements.flatMap((element) => ('name' in element ? boundBy(element.name) : []))
    : [];
}
