import {
  getNamedType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/** Random choices for one case. */
export interface Dice {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number;
  /** Names that were handed out, so that no alias conflicts. */
  aliases: number;
}

export function pick<Item>(dice: Dice, items: readonly Item[]): Item | undefined {
  return items[Math.floor(dice.next() * items.length)];
}

/** Fragments that a document needs, by name. */
export type FragmentTexts = Map<string, string>;

/** A random selection set of a composite type: aliases, fragments, conditions, repeated and merged fields. */
export function randomSelection(
  schema: GraphQLSchema,
  type: GraphQLNamedType,
  {
    dice,
    depth,
    fragments,
  }: { readonly dice: Dice; readonly depth: number; readonly fragments: FragmentTexts },
): string {
  const inner = { dice, depth: depth - 1, fragments };
  const parts: string[] = [];
  const count = 1 + Math.floor(dice.next() * 5);
  const fields =
    'getFields' in type
      ? Object.values(type.getFields()).filter(
          (field) => 'args' in field && !field.args.some(isRequiredArgument),
        )
      : [];
  for (let index = 0; index < count; index += 1) {
    const roll = dice.next();
    const condition = dice.next() < 0.15 ? pick(dice, conditions) : '';
    if (roll < 0.1) {
      parts.push(`__typename ${condition}`);
      continue;
    }
    if (roll < 0.35 && depth > 0) {
      const target = pick(dice, conditionsOf(schema, type));
      if (!target) continue;
      const selection = randomSelection(schema, target, inner);
      if (dice.next() < 0.5) {
        const name = `F${fragments.size}`;
        fragments.set(name, `fragment ${name} on ${target.name} ${selection}`);
        parts.push(`...${name} ${condition}`);
        if (dice.next() < 0.3) parts.push(`...${name}`);
      } else parts.push(`... on ${target.name} ${condition} ${selection}`);
      continue;
    }
    const field = pick(dice, fields);
    if (!field) continue;
    const named = getNamedType(field.type);
    const isComposite = isCompositeType(named);
    if (isComposite && depth <= 0) continue;
    const alias = dice.next() < 0.3 ? `a${(dice.aliases += 1)}: ` : '';
    const selection = isComposite ? randomSelection(schema, named, inner) : '';
    parts.push(`${alias}${field.name} ${condition} ${selection}`);
  }
  return `{ ${parts.length > 0 ? parts.join(' ') : '__typename'} }`;
}

const conditions = [
  '@include(if: true)',
  '@include(if: false)',
  '@skip(if: true)',
  '@skip(if: false)',
  '@skip(if: false) @include(if: false)',
];

function conditionsOf(schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLNamedType[] {
  if (isAbstractType(type)) return [type, ...schema.getPossibleTypes(type)];
  return isObjectType(type) ? [type, ...type.getInterfaces()] : [];
}

/** A random value for default resolvers. A few are wrong: absent, of another type, an error or a promise. */
export function randomValue(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  dice: Dice,
  depth: number,
): unknown {
  if (isNonNullType(type)) {
    const value = randomValue(schema, type.ofType, dice, depth);
    return value === null && dice.next() < 0.98 ? randomValue(schema, type, dice, depth) : value;
  }
  const roll = dice.next();
  if (roll < 0.15) return null;
  if (roll < 0.155)
    return pick(dice, [new Error('wrong'), Promise.resolve(1), rejected(), [[]], Symbol('wrong'), () => 1]);
  if (isListType(type)) {
    const length = Math.floor(dice.next() * 4);
    return Array.from({ length }, () => randomValue(schema, type.ofType, dice, depth));
  }
  if (isEnumType(type)) return pick(dice, type.getValues())?.value;
  if (isCompositeType(type)) {
    const runtime = isAbstractType(type) ? pick(dice, schema.getPossibleTypes(type)) : type;
    const source: Record<string, unknown> = { __typename: runtime?.name };
    if (depth <= 0 || !isObjectType(runtime)) return source;
    for (const field of Object.values(runtime.getFields()))
      source[field.name] = randomValue(schema, field.type, dice, depth - 1);
    return source;
  }
  return randomLeaf(type.name, dice);
}

const texts = ['', 'text', '"\\', '\u0000\u001f\u2028\u2029', '😀', '\ud800', '日本語', '__proto__'];

function randomLeaf(name: string, dice: Dice): unknown {
  switch (name) {
    case 'Int':
      return pick(dice, [0, -1, 7, 2 ** 31 - 1, '12', true]);
    case 'Float':
      return pick(dice, [0, -0, 1.5, 1e21, 1e-7, '2.5', false]);
    case 'Boolean':
      return dice.next() < 0.5;
    case 'JSON':
      return pick(dice, [{ a: [1, null, 'x'] }, [], 'text', 1, true, { toJSON: () => 'own' }]);
    default:
      return pick(dice, texts);
  }
}

function rejected(): Promise<never> {
  const promise = Promise.reject(new Error('wrong'));
  promise.catch(() => {});
  return promise;
}
