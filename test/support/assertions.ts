import { parseSync, Visitor } from 'rolldown/utils';

/** The type assertions of a file of TypeScript, `as const` excepted. `x as unknown as T` is two of them. */
export function findAssertions(path: string, text: string): readonly string[] {
  const found: string[] = [];
  const add = ({ start, end }: { readonly start: number; readonly end: number }): void => {
    const assertion = text.slice(start, end);
    if (!/\bas const$/.test(assertion)) found.push(`${path}: ${assertion}`);
  };
  new Visitor({ TSAsExpression: add, TSTypeAssertion: add }).visit(parseSync(path, text).program);
  return found;
}
