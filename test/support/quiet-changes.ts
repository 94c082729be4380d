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
 * What changes under a client without any of its documents becoming invalid, and what graphql-inspector therefore lets
 * through: whether one member of an input is enough, defaults, and what a scalar says that it is.
 */
export function quietChanges(earlier: GraphQLSchema, later: GraphQLSchema): readonly string[] {
  const [before, after] = [factsOf(earlier), factsOf(later)];
  return [...before].flatMap(([place, fact]) => {
    const now = after.get(place);
    // What is gone altogether is told by the inspector.
    return now === undefined || now === fact ? [] : [`${place} was ${fact} and is ${now}`];
  });
}

function factsOf(schema: GraphQLSchema): Facts {
  const facts = new Map<string, string>();
  const noteDefaults = (place: string, inputs: readonly (GraphQLArgument | GraphQLInputField)[]): void => {
    for (const { name, type, defaultValue } of inputs) {
      const value = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
      facts.set(`the default of ${place}.${name}`, value ? print(value) : 'none');
    }
  };
  const noteFields = (place: string, fields: readonly GraphQLField<unknown, unknown>[]): void => {
    for (const { name, args } of fields) noteDefaults(`${place}.${name}`, args);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isScalarType(type)) facts.set(`@specifiedBy of ${type.name}`, type.specifiedByURL ?? 'none');
    if (isObjectType(type) || isInterfaceType(type)) noteFields(type.name, Object.values(type.getFields()));
    if (!isInputObjectType(type)) continue;
    facts.set(`@oneOf of ${type.name}`, type.isOneOf ? 'there' : 'none');
    noteDefaults(type.name, Object.values(type.getFields()));
  }
  for (const { name, args } of schema.getDirectives()) noteDefaults(`@${name}`, args);
  return facts;
}
