import { namesOf } from '../lib/members.ts';
import type { InputLimits } from './check-input.ts';

/** The wire name of each field of an input, in the order of the request. `extra` has none. */
export type WireNames<Input> = { readonly [Field in Exclude<keyof Input, 'extra'>]-?: string };

/** The fields as members of the request. The caller replaces those that are not sent as they are. */
export function toWire<Field extends string>(
  names: Readonly<Record<Field, string>>,
  input: { readonly [Name in NoInfer<Field>]?: unknown },
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(namesOf(names).map((field) => [names[field], input[field]]));
}

type AnyNames = Readonly<Record<string, string>>;

/** The members that a request declares, for its limits. `others` are the names of its other forms. */
export function declaredBy(
  names: AnyNames,
  others: Readonly<Record<string, AnyNames>> = {},
): Pick<InputLimits<never>, 'declared' | 'renamed'> {
  const entriesOf = (fields: AnyNames, suffix = '') =>
    Object.entries(fields).map(([field, wire]) => [wire, `${field}${suffix}`] as const);
  const ofOthers = Object.entries(others).flatMap(([form, fields]) => entriesOf(fields, ` of ${form}`));
  const renamed = Object.fromEntries([...ofOthers, ...entriesOf(names)]);
  return { declared: Object.keys(renamed), renamed };
}
