import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { IdempotencyKey } from '../../generations/create-once.ts';
import { isRecord, type Json, type JsonObject } from '../../lib/json.ts';
import type { CallbackRequest } from './callback-request.ts';
import type { ResumableOperation } from './resumable-operation.ts';

/** What a record says about a subscription, beside its progress. */
export interface CallbackBody {
  readonly request: CallbackRequest;
  readonly operation: ResumableOperation;
  /** Finds the create that it began with, until its generation is known. */
  readonly creation?: RecordedKey | undefined;
}

export interface RecordedKey extends IdempotencyKey {
  /** Keys expire. Absent in records of earlier versions. */
  readonly createdAt?: number | undefined;
}

export function toRecordBody({ request, operation, creation }: CallbackBody): JsonObject {
  return {
    request: { ...request },
    operation: toJson({ ...operation }),
    ...(creation && { creation: toJson({ ...creation }) }),
  };
}

const callbackBody = z.object({
  request: z.object({
    url: z.string(),
    subscriptionId: z.string(),
    verifier: z.string(),
    heartbeatMs: z.number(),
  }),
  operation: z.object({
    document: z.string(),
    variables: z.custom<JsonObject>(isRecord),
    idVariable: z.string().optional(),
    afterVariable: z.string().optional(),
  }),
  creation: z
    .object({
      source: z.enum(['client', 'operation']),
      value: z.string(),
      createdAt: z.number().optional(),
    })
    .optional(),
});

/** Undefined for a body that this version does not know. */
export function fromRecordBody(body: JsonObject): CallbackBody | undefined {
  return callbackBody.safeParse(body).data;
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
