import {
  type FragmentDefinitionNode,
  getIntrospectionQuery,
  getNamedType,
  getOperationAST,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isWrappingType,
  type OperationDefinitionNode,
  parse,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { type MergedField, mergeFields } from './merged-fields.ts';
import { fragmentsOf } from './operation-limits.ts';

/** About the size of a value. */
const charsPerValue = 50;

/** An operation as a multiple of the standard introspection query. */
const maxStandardQueries = 2;

export interface IntrospectionRequest {
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/**
 * Limits the introspection of one operation. Needs no credential, and a short operation can select a lot: aliases repeat the
 * whole schema. Returns a function that returns the problem with a valid operation, if there is one.
 */
export function createIntrospectionLimit(
  schema: GraphQLSchema,
): (request: IntrospectionRequest) => string | undefined {
  let lengths: Lengths | undefined;
  let maxValues = 0;
  return ({ operation, fragments }) => {
    const parent = schema.getRootType(operation.operation);
    const all = parent ? mergeFields([operation.selectionSet], { schema, fragments, parent }) : [];
    const repeated = findRepeated(all, { schema, fragments });
    if (repeated !== undefined)
      return `An operation can select ${repeated} once. Remove the aliases of ${repeated}.`;
    const fields = all.filter(isIntrospection);
    if (fields.length === 0) return undefined;
    if (!lengths) {
      lengths = measureLengths(schema);
      maxValues = maxStandardQueries * countStandardQuery(schema, lengths);
    }
    const count = countValues(fields, { schema, fragments, lengths });
    if (count <= maxValues) return undefined;
    return `The introspection selects about ${count} values. At most ${maxValues} are allowed, ${maxStandardQueries} times the standard introspection query. Remove aliases.`;
  };
}

function isIntrospection({ field }: MergedField): boolean {
  return field === SchemaMetaFieldDef || field === TypeMetaFieldDef;
}

/** A field that describes the whole schema, and that an operation selects more than once. */
function findRepeated(
  fields: readonly MergedField[],
  { schema, fragments }: Pick<CountRequest, 'schema' | 'fragments'>,
): string | undefined {
  if (fields.filter(({ field }) => field === SchemaMetaFieldDef).length > 1) return SchemaMetaFieldDef.name;
  const services = fields.filter(({ field }) => field.name === '_service');
  if (services.length > 1) return '_service';
  const texts = services.flatMap(({ field, selectionSets }) =>
    mergeFields(selectionSets, { schema, fragments, parent: getNamedType(field.type) }),
  );
  return texts.filter(({ field }) => field.name === 'sdl').length > 1 ? 'sdl' : undefined;
}

/** Average and largest length of each list, by `Type.field`. */
type Lengths = ReadonlyMap<string, { readonly average: number; readonly largest: number }>;

interface CountRequest {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly lengths: Lengths;
}

function countStandardQuery(schema: GraphQLSchema, lengths: Lengths): number {
  const document = parse(
    getIntrospectionQuery({
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    }),
  );
  const operation = getOperationAST(document);
  const parent = schema.getQueryType();
  if (!operation || !parent) return 0;
  const fragments = fragmentsOf(document);
  const fields = mergeFields([operation.selectionSet], { schema, fragments, parent });
  return countValues(fields, { schema, fragments, lengths });
}

function countValues(fields: readonly MergedField[], request: CountRequest): number {
  const { schema, fragments, lengths } = request;
  const count = (
    selectionSets: readonly SelectionSetNode[],
    parent: GraphQLNamedType,
    size: 'average' | 'largest',
  ): number => {
    let values = 0;
    for (const { field, node, selectionSets: inner } of mergeFields(selectionSets, {
      schema,
      fragments,
      parent,
    })) {
      const length = lengths.get(`${parent.name}.${field.name}`)?.[size] ?? 1;
      // Aliases are part of the answer too.
      const own = 1 + (node.alias?.value.length ?? 0) / charsPerValue;
      values += own + length * count(inner, getNamedType(field.type), 'average');
    }
    return values;
  };
  const counts = fields.map(({ field, selectionSets }) =>
    // The client chooses the type.
    count(selectionSets, getNamedType(field.type), field === TypeMetaFieldDef ? 'largest' : 'average'),
  );
  return Math.ceil(counts.reduce((sum, values) => sum + values, 0));
}

function measureLengths(schema: GraphQLSchema): Lengths {
  const types = Object.values(schema.getTypeMap());
  const directives = schema.getDirectives();
  const fields = types.flatMap((type) =>
    isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
  );
  const places = [...fields, ...fields.flatMap(({ args }) => args), ...types.flatMap(inputFieldsOf)];
  const wrappers = places.reduce((sum, { type }) => sum + wrappersOf(type), 0);
  const wrapped = wrappers / Math.max(1, places.length + wrappers);
  return new Map([
    ['__Type.ofType', { average: wrapped, largest: 0 }],
    ['__Schema.types', statistics([types.length])],
    ['__Schema.directives', statistics([directives.length])],
    ['__Directive.args', statistics(directives.map(({ args }) => args.length))],
    ['__Field.args', statistics(fields.map(({ args }) => args.length))],
    ['__Type.fields', statistics(types.map(fieldCountOf))],
    ['__Type.inputFields', statistics(types.map((type) => inputFieldsOf(type).length))],
    ['__Type.enumValues', statistics(types.map((type) => (isEnumType(type) ? type.getValues().length : 0)))],
    [
      '__Type.interfaces',
      statistics(types.map((type) => ('getInterfaces' in type ? type.getInterfaces().length : 0))),
    ],
    [
      '__Type.possibleTypes',
      statistics(types.map((type) => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0))),
    ],
  ]);
}

function fieldCountOf(type: GraphQLNamedType): number {
  return isObjectType(type) || isInterfaceType(type) ? Object.keys(type.getFields()).length : 0;
}

function inputFieldsOf(type: GraphQLNamedType): readonly GraphQLInputField[] {
  return isInputObjectType(type) ? Object.values(type.getFields()) : [];
}

/** The number of lists and non-null types around a named type. */
function wrappersOf(type: GraphQLType): number {
  return isWrappingType(type) ? 1 + wrappersOf(type.ofType) : 0;
}

function statistics(lengths: readonly number[]): { readonly average: number; readonly largest: number } {
  const sum = lengths.reduce((total, length) => total + length, 0);
  return { average: sum / Math.max(1, lengths.length), largest: Math.max(0, ...lengths) };
}
