import { parseSync, Visitor } from 'rolldown/utils';

interface FunctionLength {
  readonly path: string;
  readonly firstLine: string;
  readonly lines: number;
}

/** The functions of a file of TypeScript with their lengths, nested functions included. */
export function measureFunctions(path: string, text: string): readonly FunctionLength[] {
  const found: FunctionLength[] = [];
  const measure = ({ start, end }: { readonly start: number; readonly end: number }): void => {
    const lines = text.slice(start, end).split('\n');
    found.push({ path, firstLine: lines[0] ?? '', lines: lines.length });
  };
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(parseSync(path, text).program);
  return found;
}
