import { type ASTVisitor, GraphQLError, type SelectionNode, type ValidationContext } from 'graphql';

/**
 * A subscription's one field is always selected (https://spec.graphql.org/draft/#sec-Single-Root-Field). graphql 16 does
 * not check it, and fails inside where `@skip` or `@include` take that field away.
 */
export function UnconditionalSubscriptionRule(context: ValidationContext): ASTVisitor {
  const check = (node: SelectionNode): void => {
    if (context.getParentType() !== context.getSchema().getSubscriptionType()) return;
    const condition = node.directives?.find(({ name }) => name.value === 'skip' || name.value === 'include');
    if (!condition) return;
    context.reportError(
      new GraphQLError(`@${condition.name.value} cannot be on the field of a subscription.`, {
        nodes: condition,
      }),
    );
  };
  return { Field: check, FragmentSpread: check, InlineFragment: check };
}
