import { createHash } from 'node:crypto';
import type { IdempotencyKey } from '../../generations/create-once.ts';
import { asRecord, isRecord, type Json, type JsonObject } from '../../lib/json.ts';
import type { CallbackRequest } from './callback-request.ts';
import type { ResumableOperation } from './resumable-operation.ts';

/** What a record says about a subscription, beside its progress. */
export interface CallbackBody {
  readonly request: CallbackRequest;
  readonly operation: ResumableOperation;
  /** Finds the create that it began with, until its generation is known. */
  readonly creation?: IdempotencyKey | undefined;
}

export function toRecordBody({ request, operation, creation }: CallbackBody): JsonObject {
  return {
    request: { ...request },
    operation: toJson({ ...operation }),
    ...(creation && { creation: { ...creation } }),
  };
}

/** @throws TypeError for a body that no version writes */
export function fromRecordBody(body: JsonObject): CallbackBody {
  const { request, operation, creation } = body;
  if (!isRecord(request) || !isRecord(operation)) throw new TypeError('unknown record of a callback');
  const text = (from: JsonObject, name: string): string => {
    const value = from[name];
    if (typeof value !== 'string') throw new TypeError(`a callback has ${name}`);
    return value;
  };
  const optional = (from: JsonObject, name: string): string | undefined =>
    from[name] === undefined ? undefined : text(from, name);
  const source = isRecord(creation) && text(creation, 'source') === 'client' ? 'client' : 'operation';
  return {
    request: {
      url: text(request, 'url'),
      subscriptionId: text(request, 'subscriptionId'),
      verifier: text(request, 'verifier'),
      heartbeatMs: Number(request['heartbeatMs']),
    },
    operation: {
      document: text(operation, 'document'),
      variables: asRecord(operation['variables']) ?? {},
      idVariable: optional(operation, 'idVariable'),
      afterVariable: optional(operation, 'afterVariable'),
    },
    ...(isRecord(creation) && { creation: { source, value: text(creation, 'value') } }),
  };
}

function toJson(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The id of its record: a request that a router repeats has the same. */
export function recordIdOf(owner: string, { url, subscriptionId }: CallbackRequest): string {
  const hash = createHash('sha256').update(JSON.stringify([owner, url, subscriptionId]));
  return `callback_${hash.digest('base64url')}`;
}
