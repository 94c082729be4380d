import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { isErrorCode } from '../error-codes.ts';
import type { OperationNotes } from '../generations/operation-notes.ts';
import { isRecord } from '../lib/json.ts';
import type { Context } from './context.ts';

/**
 * Wraps the root fields of mutations. Notes the errors that they return as members of result unions, and the generations. The
 * records that an earlier field has read are read again, because each field changes them.
 */
export function wrapMutations(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = async (source, args, context: Context, info) => {
      try {
        const value: unknown = await resolve(source, args, context, info);
        if (context.notes) noteValue(value, context.notes);
        return value;
      } finally {
        context.loaders.forgetRecords();
      }
    };
  }
  return schema;
}

function noteValue(value: unknown, notes: OperationNotes): void {
  if (!isRecord(value)) return;
  const { code, retry, limit, generationId, id, kind, taskId } = value;
  if (isErrorCode(code) && retry !== undefined) {
    notes.codes.add(code);
    if (typeof limit === 'string') notes.limit = limit;
    if (typeof generationId === 'string') notes.generationId = generationId;
  } else if (typeof id === 'string' && typeof kind === 'string') {
    notes.generationId = id;
    notes.taskId = typeof taskId === 'string' ? taskId : undefined;
  }
}
