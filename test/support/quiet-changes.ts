import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  print,
} from 'graphql';

type Facts = ReadonlyMap<string, string>;

/**
 * Schema changes that alter behavior but keep every client document valid, so that graphql-inspector does not report
 * them: `@oneOf`, defaults, and `@specifiedBy`.
 */
export function quietChanges(earlier: GraphQLSchema, later: GraphQLSchema): readonly string[] {
  const [before, after] = [factsOf(earlier), factsOf(later)];
  return [...before].flatMap(([place, fact]) => {
    const now = after.get(place);
    // The inspector reports removed types, fields and arguments.
    return now === undefined || now === fact ? [] : [`${place} was ${fact} and is ${now}`];
  });
}

function factsOf(schema: GraphQLSchema): Facts {
  const facts = new Map<string, string>();
  const addDefaults = (place: string, inputs: readonly (GraphQLArgument | GraphQLInputField)[]): void => {
    for (const { name, type, defaultValue } of inputs) {
      const value = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
      facts.set(`the default of ${place}.${name}`, value ? print(value) : 'none');
    }
  };
  const addFields = (place: string, fields: readonly GraphQLField<unknown, unknown>[]): void => {
    for (const { name, args } of fields) addDefaults(`${place}.${name}`, args);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isScalarType(type)) facts.set(`@specifiedBy of ${type.name}`, type.specifiedByURL ?? 'none');
    if (isObjectType(type) || isInterfaceType(type)) addFields(type.name, Object.values(type.getFields()));
    if (!isInputObjectType(type)) continue;
    facts.set(`@oneOf of ${type.name}`, type.isOneOf ? 'there' : 'none');
    addDefaults(type.name, Object.values(type.getFields()));
  }
  for (const { name, args } of schema.getDirectives()) addDefaults(`@${name}`, args);
  return facts;
}
