import { BREAK, type ASTNode, visit } from 'graphql';

/** Whether a part of a document refers to a variable. */
export function usesVariables(node: ASTNode): boolean {
  let isUsed = false;
  visit(node, {
    Variable() {
      isUsed = true;
      return BREAK;
    },
  });
  return isUsed;
}
