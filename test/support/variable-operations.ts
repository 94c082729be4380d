import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';

export interface VariableOperation {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly name: string;
  readonly text: string;
  /** The members of inputs that have variables of their own, such as `ChatInput.model`. */
  readonly members: ReadonlySet<string>;
}

type Kind = VariableOperation['kind'];
type Place = GraphQLArgument | GraphQLInputField;

/**
 * Operations with a variable for every argument of every field, and operations with a variable for every member of every
 * input. A variable is nullable where the place need not be given, as a front end declares an optional value.
 */
export function variableOperations(schema: GraphQLSchema): readonly VariableOperation[] {
  const kinds = new Map<GraphQLNamedType | null | undefined, Kind>([
    [schema.getQueryType(), 'query'],
    [schema.getMutationType(), 'mutation'],
    [schema.getSubscriptionType(), 'subscription'],
  ]);
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || type.name.startsWith('__')) return [];
    const kind = kinds.get(type);
    return Object.values(type.getFields()).flatMap((field) => {
      if (kind) return [-1, ...choicesOf(field)].map((choice) => toOperation(kind, field, choice));
      if (field.args.length === 0) return [];
      return [toOperation('query', field, -1, type.name)];
    });
  });
}

/** Numbers that choose the members of nested `@oneOf` inputs, so that each member has its turn. None without inputs. */
function choicesOf({ args }: GraphQLField<unknown, unknown>): readonly number[] {
  const count = (type: GraphQLInputType): number => {
    const named = getNamedType(type);
    if (!isInputObjectType(named)) return 0;
    const members = Object.values(named.getFields());
    return (
      (named.isOneOf ? members.length : 1) * Math.max(1, ...members.map(({ type: inner }) => count(inner)))
    );
  };
  return [...Array(Math.max(0, ...args.map(({ type }) => count(type)))).keys()];
}

/** A `choice` of -1 leaves inputs whole. A field of another type than a root is read from a node. */
function toOperation(
  kind: Kind,
  field: GraphQLField<unknown, unknown>,
  choice: number,
  typeName?: string,
): VariableOperation {
  const declared: string[] = [];
  const members = new Set<string>();
  const declare = (name: string, type: string): string => {
    declared.push(`$${name}: ${type}`);
    return `$${name}`;
  };
  const write = ({ type }: Place, isRequired: boolean, name: string, rest: number): string =>
    (rest < 0 ? undefined : expand(type, name, rest)) ??
    declare(name, `${String(getNullableType(type))}${isRequired ? '!' : ''}`);
  /** An object with a variable for each member. */
  const expand = (type: GraphQLInputType, name: string, rest: number): string | undefined => {
    if (isNonNullType(type)) return expand(type.ofType, name, rest);
    if (isListType(type)) {
      const item = expand(type.ofType, name, rest);
      return item && `[${item}]`;
    }
    if (!isInputObjectType(type)) return undefined;
    const all = Object.values(type.getFields());
    const inner = type.isOneOf ? Math.floor(rest / all.length) : rest;
    const written = (type.isOneOf ? all.filter((_member, index) => index === rest % all.length) : all).map(
      (member) => {
        members.add(`${type.name}.${member.name}`);
        // A member of a @oneOf input must not be null, although its type is nullable.
        const isRequired = type.isOneOf || isRequiredInputField(member);
        return `${member.name}: ${write(member, isRequired, `${name}_${member.name}`, inner)}`;
      },
    );
    return `{${written.join(', ')}}`;
  };
  const args = field.args.map(
    (arg) => `${arg.name}: ${write(arg, isRequiredArgument(arg), arg.name, choice)}`,
  );
  const selection = isCompositeType(getNamedType(field.type)) ? ' { __typename }' : '';
  const call = `${field.name}${inBrackets(args)}${selection}`;
  const body = typeName === undefined ? call : `node(id: "x") { ... on ${typeName} { ${call} } }`;
  const name = `Every_${typeName ?? ''}${field.name}${choice < 0 ? '' : choice}_${kind}`;
  const title = name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return { kind, name: title, text: `${kind} ${title}${inBrackets(declared)} { ${body} }`, members };
}

function inBrackets(parts: readonly string[]): string {
  return parts.length > 0 ? `(${parts.join(', ')})` : '';
}
