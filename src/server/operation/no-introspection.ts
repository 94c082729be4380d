import { GraphQLError, SchemaMetaFieldDef, TypeMetaFieldDef, type ValidationRule } from 'graphql';

const introspectionFields: ReadonlySet<string> = new Set([SchemaMetaFieldDef.name, TypeMetaFieldDef.name]);

/** Refuses introspection. `_service` stays: routers compose with its SDL. */
export const NoIntrospectionRule: ValidationRule = (context) => ({
  Field(node) {
    const name = node.name.value;
    if (introspectionFields.has(name))
      context.reportError(
        new GraphQLError(
          `Introspection is off on this server, so it does not answer ${name}. The package has the schema as schema.graphql. The operator can set INTROSPECTION=on.`,
          { nodes: node },
        ),
      );
  },
});
