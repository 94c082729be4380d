import type { JsonObject } from '../lib/json.ts';
import { namesOf } from '../lib/members.ts';
import type { InputLimits } from './check-input.ts';
import { withoutAbsent } from './request-body.ts';

/** The wire name of each field of an input, in the order of the request. `extra` has none. */
export type WireNames<Input> = { readonly [Field in Exclude<keyof Input, 'extra'>]-?: string };

/** The body of a request. `replaced` has the members that are not sent as they are in the input. */
export function toBody<Field extends string>(
  names: Readonly<Record<Field, string>>,
  input: { readonly [Name in NoInfer<Field> | 'extra']?: unknown },
  replaced: Readonly<Record<string, unknown>> = {},
): JsonObject {
  const members = Object.fromEntries(namesOf(names).map((field) => [names[field], input[field]]));
  return withoutAbsent({ ...members, ...replaced }, input.extra);
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
