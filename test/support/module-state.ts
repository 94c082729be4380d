import {
  type Node,
  NodeFlags,
  type SourceFile,
  type Statement,
  SyntaxKind,
  type TypeNode,
  type VariableDeclaration,
  type VariableStatement,
} from 'typescript/unstable/ast';
import {
  isCallExpression,
  isClassDeclaration,
  isClassStaticBlockDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isImportDeclaration,
  isNewExpression,
  isPropertyAccessExpression,
  isPropertyDeclaration,
  isVariableStatement,
} from 'typescript/unstable/ast/is';
import { createVirtualFileSystem } from 'typescript/unstable/fs';
import { API } from 'typescript/unstable/sync';
import { findWrites } from './module-writes.ts';

export interface Finding {
  readonly node: Node;
  readonly reason: string;
}

/**
 * The statements that make a module work at import or hold state, as `path:line: reason`. Files are TypeScript texts by path. Types
 * are not resolved: a `Map` or `Set` counts as constant when its declaration has another type, such as `ReadonlyMap`.
 */
export function findModuleState(files: Readonly<Record<string, string>>): readonly string[] {
  const config = { files: Object.keys(files), compilerOptions: { noLib: true, noResolve: true, types: [] } };
  const sources = Object.entries(files).map(([path, text]) => [`/${path}`, text] as const);
  const fs = createVirtualFileSystem({
    ...Object.fromEntries(sources),
    '/tsconfig.json': JSON.stringify(config),
  });
  const api = new API({ cwd: '/', fs });
  try {
    const project = api.updateSnapshot({ openProject: '/tsconfig.json' }).getProject('/tsconfig.json');
    return Object.keys(files).flatMap((path) => {
      const file = project?.program.getSourceFile(`/${path}`);
      if (!project || !file) throw new Error(`TypeScript has not read ${path}`);
      const findings = [...file.statements.flatMap(checkStatement), ...findWrites(file, project.checker)];
      return findings
        .map(({ node, reason }) => ({ line: lineOf(file, node), reason }))
        .toSorted((one, other) => one.line - other.line)
        .map(({ line, reason }) => `${path}:${line}: ${reason}`);
    });
  } finally {
    api.close();
  }
}

function lineOf(file: SourceFile, node: Node): number {
  return file.text.slice(0, node.getStart(file)).split('\n').length;
}

/** Statements that run nothing. */
const declarations: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ExportDeclaration,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.ModuleDeclaration,
  SyntaxKind.TypeAliasDeclaration,
]);

function checkStatement(statement: Statement): readonly Finding[] {
  if (isImportDeclaration(statement))
    return statement.importClause
      ? []
      : [{ node: statement, reason: `imports ${statement.moduleSpecifier.getText()} for its side effect` }];
  if (isVariableStatement(statement)) return checkVariables(statement);
  if (isClassDeclaration(statement)) return statement.members.flatMap(checkMember);
  if (declarations.has(statement.kind)) return [];
  return [{ node: statement, reason: `runs at import: ${statement.getText().split('\n')[0] ?? ''}` }];
}

function checkMember(member: Node): readonly Finding[] {
  if (isClassStaticBlockDeclaration(member))
    return [{ node: member, reason: 'a static block runs at import' }];
  if (!isPropertyDeclaration(member)) return [];
  const modifiers = member.modifiers?.map(({ kind }) => kind) ?? [];
  const isVariable =
    modifiers.includes(SyntaxKind.StaticKeyword) && !modifiers.includes(SyntaxKind.ReadonlyKeyword);
  return isVariable ? [{ node: member, reason: `static ${member.name.getText()} can change` }] : [];
}

function checkVariables({ declarationList }: VariableStatement): readonly Finding[] {
  const isConstant = (declarationList.flags & NodeFlags.Const) !== 0;
  return declarationList.declarations.flatMap((declaration) => [
    ...(isConstant ? [] : [{ node: declaration, reason: `${declaration.name.getText()} can change` }]),
    ...checkInitializer(declaration),
  ]);
}

/** Classes whose instances hold no state, or only what they were made with. */
const harmlessClasses: ReadonlySet<string> = new Set(['Error', 'Intl', 'RegExp', 'TextEncoder', 'URL']);
/** Their methods that write are hidden by a type such as `ReadonlyMap`. */
const collections: ReadonlySet<string> = new Set(['Map', 'Set']);
/** By convention these make something that lives, or do something. */
const factoryName = /^(create|start|open|listen|register|connect|spawn|schedule)(?=[A-Z])/;

/** The values that evaluating the initializer creates, outside of the functions in it. */
function checkInitializer({ name, type, initializer }: VariableDeclaration): readonly Finding[] {
  const findings: Finding[] = [];
  const check = (node: Node): void => {
    if (isFunctionLikeDeclaration(node)) return;
    const callee = isNewExpression(node) || isCallExpression(node) ? rootName(node.expression) : '';
    if (isNewExpression(node)) {
      const isConstant = collections.has(callee) ? isReadonlyType(type) : harmlessClasses.has(callee);
      if (!isConstant)
        findings.push({ node, reason: `${name.getText()} holds a new ${callee}, which can change` });
    }
    if (isCallExpression(node) && factoryName.test(callee))
      findings.push({ node, reason: `${callee} runs at import` });
    if (node.kind === SyntaxKind.AwaitExpression) findings.push({ node, reason: 'awaits at import' });
    node.forEachChild(check);
  };
  if (initializer) check(initializer);
  return findings;
}

function rootName(node: Node): string {
  if (isPropertyAccessExpression(node)) return rootName(node.expression);
  return isIdentifier(node) ? node.text : '';
}

/** Whether the declaration has a type that is not itself that of a collection with writing methods. */
function isReadonlyType(type: TypeNode | undefined): boolean {
  return type !== undefined && !/^(Map|Set)\b/.test(type.getText());
}
