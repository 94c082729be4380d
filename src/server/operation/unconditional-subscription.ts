import { type ASTVisitor, GraphQLError, type SelectionNode, type ValidationContext } from 'graphql';

/**
 * Forbids `@skip` and `@include` on the root field of a subscription (https://spec.graphql.org/draft/#sec-Single-Root-Field).
 * graphql 16 does not check this rule and fails internally if the field is excluded.
 */
export function UnconditionalSubscriptionRule(context: ValidationContext): ASTVisitor {
  const check = (node: SelectionNode): void => {
    if (context.getParentType() !== context.getSchema().getSubscriptionType()) return;
    const condition = node.directives?.find(({ name }) => name.value === 'skip' || name.value === 'include');
    if (!condition) return;
    context.reportError(
      new GraphQLError(`@${condition.name.value} is not allowed on the root field of a subscription.`, {
        nodes: condition,
      }),
    );
  };
  return { Field: check, FragmentSpread: check, InlineFragment: check };
}
