import {
  type ConstDirectiveNode,
  type DefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLSchema,
  isListType,
  isObjectType,
  Kind,
  parse,
  print,
} from 'graphql';
import { printSortedSchema } from '../print-sorted-schema.ts';
import { defaultPageSize } from '../connection.ts';
import { maxIds } from '../node.ts';
import { isConnection, isRecordType } from '../record-types.ts';
import { isShareable } from './shareable.ts';

export interface SdlOptions {
  readonly entityNames: readonly string[];
  /** The capability of each root field. Contracts can include and exclude the fields of one. */
  readonly tags: ReadonlyMap<string, string>;
  /**
   * Composers refuse a version that they do not know. 2.9 has `@cost` and `@listSize`; 2.4 is the earliest with all other
   * features in use, including subscriptions.
   * @default 'v2.9'
   */
  readonly version?: 'v2.4' | 'v2.9';
}

/**
 * Federation has no support for `@oneOf`. Composition refuses a directive without a definition, and drops a defined one
 * unless `@composeDirective` names it. That requires a `@link` to a specification; routers never fetch its URL.
 */
const toHeader = (version: string, names: readonly string[]) => `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/${version}", import: [${names.map((name) => `"@${name}"`).join(', ')}])
    @link(url: "https://spec.graphql.org/oneOf/v1.0", import: ["@oneOf"])
    @composeDirective(name: "@oneOf")

  directive @oneOf on INPUT_OBJECT
`;

/**
 * Left out of the subgraph. Two subgraphs with these fields do not compose; if the fields were shareable, a router would
 * query either subgraph for objects of the other.
 */
const unsharedQueries: ReadonlySet<string> = new Set(['node', 'nodes']);

/** The SDL for composition, derived from the printed schema so that it keeps all of it. */
export function printSubgraphSdl(schema: GraphQLSchema, options: SdlOptions): string {
  const { version = 'v2.9' } = options;
  const definitions = parse(printSortedSchema(schema)).definitions.map((definition) =>
    addDirectives(definition, schema, { ...options, version }),
  );
  const costs = version === 'v2.9' ? ['cost', 'listSize'] : [];
  const names = ['composeDirective', 'key', 'shareable', 'tag', ...costs].toSorted();
  const header = parse(toHeader(version, names)).definitions;
  return `${print({ kind: Kind.DOCUMENT, definitions: [...header, ...definitions] })}\n`;
}

function addDirectives(
  definition: DefinitionNode,
  schema: GraphQLSchema,
  options: SdlOptions,
): DefinitionNode {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition;
  const type = schema.getType(definition.name.value);
  if (!isObjectType(type)) return definition;
  const isRoot = rootTypesOf(schema).includes(type);
  const fields = (definition.fields ?? [])
    .filter(({ name }) => type !== schema.getQueryType() || !unsharedQueries.has(name.value))
    .map((field) => {
      const tag = isRoot ? options.tags.get(field.name.value) : undefined;
      const added = [
        ...(tag === undefined ? [] : directivesOf(`@tag(name: "${tag}")`)),
        ...(options.version === 'v2.9' ? sizeOf(type.getFields()[field.name.value], schema) : []),
      ];
      return { ...field, directives: [...(field.directives ?? []), ...added] };
    });
  const directives: readonly ConstDirectiveNode[] = [
    ...(options.entityNames.includes(type.name) ? directivesOf('@key(fields: "id")') : []),
    ...(isShareable(type) ? directivesOf('@shareable') : []),
    // Records cost 1, which is the default, as in the server's own limit of records.
    ...(options.version === 'v2.9' && !isRoot && !isRecordType(type, schema)
      ? directivesOf('@cost(weight: 0)')
      : []),
  ];
  return { ...definition, fields, directives };
}

function rootTypesOf(schema: GraphQLSchema): readonly unknown[] {
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
}

/** The length of a list of records, with the numbers of the server's own limit of records. */
function sizeOf(
  field: GraphQLField<unknown, unknown> | undefined,
  schema: GraphQLSchema,
): readonly ConstDirectiveNode[] {
  if (!field) return [];
  if (isConnection(getNamedType(field.type))) {
    const slices = field.args.filter(({ name }) => name === 'first' || name === 'last');
    // A default value is the assumed size. Some composers refuse both.
    const assumed = slices.some(({ defaultValue }) => defaultValue !== undefined)
      ? ''
      : `assumedSize: ${defaultPageSize}, `;
    const names = slices.map(({ name }) => `"${name}"`).join(', ');
    return directivesOf(
      `@listSize(${assumed}slicingArguments: [${names}], sizedFields: ["edges"], requireOneSlicingArgument: false)`,
    );
  }
  const hasIds = field.args.some(({ name }) => name === 'ids');
  const isList = isListType(getNullableType(field.type)) && isRecordType(getNamedType(field.type), schema);
  return hasIds && isList ? directivesOf(`@listSize(assumedSize: ${maxIds})`) : [];
}

function directivesOf(text: string): readonly ConstDirectiveNode[] {
  const [scalar] = parse(`scalar Any ${text}`).definitions;
  return scalar?.kind === Kind.SCALAR_TYPE_DEFINITION ? (scalar.directives ?? []) : [];
}
