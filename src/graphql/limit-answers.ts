import {
  defaultFieldResolver,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isIntrospectionType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { sizeOfValue } from '../lib/json-size.ts';
import { createNameSizes, type SelectedField } from './answer-size.ts';
import { type AnswerBudget, maxItemErrors } from './answer-budget.ts';
import type { Context } from './context.ts';

export type Resolve = GraphQLFieldResolver<unknown, Context>;

/**
 * Wraps every field, so that one answer cannot exhaust the memory of the process. Each value that a field returns is charged
 * to the answer's budget. A value without room fails its field with LIMIT_EXCEEDED; the other fields stay. Values are charged
 * for each occurrence, because aliases can repeat one value many times in the text of the answer. What is shown only once
 * always has room: its field, and the object of a mutation that has it.
 */
export function limitAnswers(schema: GraphQLSchema): GraphQLSchema {
  const sizeOfNames = createNameSizes();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve = defaultFieldResolver } = field;
      field.extensions = { ...field.extensions, [unlimited]: resolve };
      const isRoot = type === schema.getQueryType();
      const isResult = type === schema.getMutationType() && !isListType(getNullableType(field.type));
      if (isResult || field.extensions[shownOnce] === true) continue;
      field.resolve = wrap({ ...field, resolve: isRoot ? reuseRootValues(resolve) : resolve }, sizeOfNames);
    }
  }
  return schema;
}

/** Extension of a field whose value no record has, and that is small. */
const shownOnce = 'gengraphShownOnce';

/** Options of a field that shows a secret once. */
export const shownOnceField = { extensions: { [shownOnce]: true } };

/** Extension with the resolver below the wrapper. */
const unlimited = 'gengraphUnlimitedResolve';

/** The field's resolver without the charge of its values, for callers that charge them. */
export function resolverOf({
  extensions,
  resolve = defaultFieldResolver,
}: Pick<GraphQLField<unknown, Context>, 'extensions' | 'resolve'>): Resolve {
  // `limitAnswers` stored it.
  return (extensions[unlimited] as Resolve | undefined) ?? resolve;
}

function reuseRootValues(resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    const known = context.rootValues?.get(String(info.path.key));
    return known ? known() : resolve(source, args, context, info);
  };
}

function wrap(
  { resolve = defaultFieldResolver, type }: GraphQLField<unknown, Context>,
  sizeOfNames: (field: SelectedField) => number,
): Resolve {
  const isLeaf = isLeafType(getNamedType(type));
  const isNullable = !isNonNullType(type);
  const list = getNullableType(type);
  const hasNullableItems = isListType(list) && !isNonNullType(list.ofType);
  return (source, args, context, info) => {
    const { budget } = context;
    const admit = (value: unknown): unknown => {
      if (value === null || value === undefined || value instanceof Error) return value;
      const isAdmitted = isLeaf
        ? budget.admitValue(sizeOfValue(value, budget.remainingBytes), 0)
        : admitObjects(budget, Array.isArray(value) ? value.length : 1, sizeOfNames(info));
      if (!isAdmitted) return leaveOut(budget, isNullable);
      return hasNullableItems && Array.isArray(value) ? limitFailures(value, budget) : value;
    };
    const value: unknown = resolve(source, args, context, info);
    if (!(value instanceof Promise)) return admit(value);
    return value.then(admit, (error: unknown) => {
      if (error === budget.error) return leaveOut(budget, isNullable);
      throw error;
    });
  };
}

function admitObjects(budget: AnswerBudget, count: number, bytesOfEach: number): boolean {
  return budget.admitValue(count * bytesOfEach, count);
}

/**
 * Each error takes long to locate and to mask. Of very many items that fail, the last ones are null, and only counted. Answers
 * with fewer objects than that need no count.
 */
function limitFailures(items: readonly unknown[], budget: AnswerBudget): readonly unknown[] {
  if (budget.answerObjects <= maxItemErrors || !items.some((item) => item instanceof Promise)) return items;
  const onFailed = (error: unknown): null => {
    if (error === budget.error) return leaveOut(budget, true);
    if (budget.countFailed()) throw error;
    return null;
  };
  return items.map((item) => (item instanceof Promise ? item.catch(onFailed) : item));
}

/** @throws the budget's error, except for the many nullable values that are only counted */
function leaveOut(budget: AnswerBudget, isNullable: boolean): null {
  if (budget.countLeftOut() || !isNullable) throw budget.error;
  return null;
}
