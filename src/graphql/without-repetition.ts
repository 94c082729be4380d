import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  type GraphQLNamedType,
  GraphQLObjectType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { mapMembers } from '../lib/members.ts';
import { isShared } from './shared-descriptions.ts';

interface Member {
  readonly description?: string | null | undefined;
}

/**
 * The type without the descriptions of members that repeat the member's name or the description of an interface, or that
 * are shared. The SDL is read as a whole, so it states everything once. Introspection has all of them.
 */
export function withoutRepetition(type: GraphQLNamedType): GraphQLNamedType {
  if (isEnumType(type)) {
    const config = type.toConfig();
    return new GraphQLEnumType({ ...config, values: mapMembers(config.values, shorten) });
  }
  if (isInputObjectType(type)) {
    const config = type.toConfig();
    return new GraphQLInputObjectType({ ...config, fields: mapMembers(config.fields, shorten) });
  }
  if (!isObjectType(type)) return type;
  const config = type.toConfig();
  const inherited = (name: string) =>
    type.getInterfaces().map((parent) => parent.getFields()[name]?.description);
  const fields = mapMembers(config.fields, (field, name) => ({
    ...shorten(field, name, inherited(name)),
    args: mapMembers(field.args ?? {}, shorten),
  }));
  return new GraphQLObjectType({ ...config, fields });
}

function shorten<Shortened extends Member>(
  member: Shortened,
  name: string,
  stated: readonly (string | null | undefined)[] = [],
): Shortened {
  const { description } = member;
  const isRepetition = isShared(description) || stated.includes(description) || saysOnly(name, description);
  return isRepetition ? { ...member, description: undefined } : member;
}

/** Whether it only repeats the name of its member. */
export function saysOnly(name: string, description: string | null | undefined): boolean {
  return toLetters(description ?? '') === toLetters(name);
}

/** Equal for `SELF_HARM`, `selfHarm` and `Self-harm.` */
function toLetters(text: string): string {
  return text.replaceAll(/[^a-z\d]/gi, '').toLowerCase();
}
