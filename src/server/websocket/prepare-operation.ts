import type { IncomingHttpHeaders } from 'node:http';
import { findClient } from '../callers/client-name.ts';
import { getOperationAST, GraphQLError, type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { Context as Connection, SubscribePayload } from 'graphql-ws';
import type { EventWriters } from '../operation/compiled/event-writers.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { Engine } from '../../generations/engine.ts';
import { isRecord } from '../../lib/json.ts';
import type { Admission, Permit } from '../admission/admission.ts';
import type { RecallCaller } from '../admission/recall-callers.ts';
import { sizeOfErrors } from '../sending/answer-errors.ts';
import { awaitRecords, shouldAwaitRecords } from '../operation/await-records.ts';
import type { Callers } from '../callers/callers.ts';
import { createContext } from '../operation/contexts.ts';
import { requestIdFrom } from '../operation/request-ids.ts';
import type { Documents } from '../operation/documents.ts';
import {
  maskThrown,
  openAdmitted,
  type OperationArgs,
  type PushTarget,
  type Subscribed,
  withAdvice,
} from '../operation/execution.ts';
import type { EventPreparation } from '../operation/event-preparation.ts';
import type { LargeResults } from '../sending/large-answers.ts';
import type { PushedSubscriptions } from './pushed-subscriptions.ts';
import { codesOf, exceededIn, exceededOf, reportRefused } from '../operation/report-operation.ts';
import type { SocketExpiry } from './socket-expiry.ts';
import type { MovableSocket } from './socket-moves.ts';
import type { SocketOperations } from './socket-operations.ts';
import type { SocketWriter } from '../sending/socket-writer.ts';
import { findTrace } from '../operation/traces.ts';

export interface PrepareOptions {
  readonly engine: Engine;
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly eventWriters: EventWriters;
  readonly preparation: EventPreparation;
  readonly callers: Callers;
  readonly recallCaller: RecallCaller;
  readonly admission: Admission;
  readonly isDraining: () => boolean;
}

/** What a WebSocket holds. */
export interface Extra extends MovableSocket {
  /** Of the upgrade request. */
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  /** The headers in `connectionParams`. */
  params: readonly unknown[];
  /** The caller in the upgrade request or in `connectionParams`. */
  caller: Caller | undefined;
  readonly writer: SocketWriter;
  readonly operations: SocketOperations;
  readonly pushed: PushedSubscriptions;
  readonly largeResults: LargeResults;
  readonly expiry: SocketExpiry;
}

export type Params = Readonly<Record<string, unknown>>;

/** A subscribe message of graphql-ws. */
export interface Subscribe {
  readonly connection: Connection<Params, Extra>;
  readonly id: string;
  readonly payload: SubscribePayload;
}

/**
 * The result of `onSubscribe`: the arguments of an operation, with the events of a subscription, or its errors. `draining` if
 * the server starts no more operations.
 */
export async function prepareOrOpen(
  options: PrepareOptions,
  subscribe: Subscribe,
): Promise<OperationArgs | OpenedArgs | readonly GraphQLError[] | 'draining'> {
  const prepared = await prepareOperation(options, subscribe);
  if (prepared === 'draining') return prepared;
  return 'permit' in prepared ? openIfSubscription(prepared, subscribe, options.preparation) : prepared;
}

/** Returns the errors of an operation instead of throwing them: a throw would close the socket and its other operations. */
async function prepareOperation(
  options: PrepareOptions,
  { connection, id, payload }: Subscribe,
): Promise<AdmittedArgs | readonly GraphQLError[] | 'draining'> {
  const { engine, schema, documents, eventWriters, callers, recallCaller, admission, isDraining } = options;
  const { headers } = connection.extra;
  const requestId = requestIdFrom(headers['x-request-id']);
  const { operationName } = payload;
  engine.log.debug({ requestId, operationName, operationId: id }, 'operation over websocket');
  const arrivedAt = performance.now();
  let caller: Caller | undefined;
  let permit: Permit | undefined;
  const { address, operations, params } = connection.extra;
  const client = [...params, editorHeaders(payload)];
  const trace = findTrace(headers, ...client);
  const program = findClient(headers, params);
  let operationType: string | undefined;
  const refuse = (
    errors: readonly GraphQLError[],
    exceeded = exceededIn(errors),
  ): readonly GraphQLError[] => {
    permit?.countAnswer(() => sizeOfErrors(errors));
    const durationMs = performance.now() - arrivedAt;
    const who = { requestId, transport: 'websocket', address, caller, client: program } as const;
    reportRefused(engine, {
      ...who,
      trace,
      operationName,
      operationType,
      codes: codesOf(errors),
      exceeded,
      durationMs,
    });
    return errors;
  };
  try {
    const finding = callers.find({ headers, client });
    caller = await finding.catch(() => undefined);
    const recalling = caller && recallCaller(caller, address);
    if (recalling) await recalling;
    permit = admission.enter({ caller, address, socketId: operations.socketId });
    operations.start({ id, payload, permit });
    const queuedAt = performance.now();
    if (permit.admitted && !(await permit.admitted)) {
      // Not sent, because the operation has ended.
      return [new GraphQLError('The client canceled the operation.')];
    }
    const waitedMs = permit.admitted && performance.now() - queuedAt;
    if (isDraining()) return 'draining';
    const document = documents.parse(payload);
    documents.select(document, operationName);
    operationType = getOperationAST(document, operationName)?.operation;
    const errors = documents.validate(document);
    if (errors.length > 0) return refuse(errors.map((error) => withAdvice(error, requestId)));
    const tooLarge = documents.checkCost(document, { operationName, variables: payload.variables });
    if (tooLarge.length > 0) return refuse(tooLarge.map((error) => withAdvice(error, requestId)));
    await finding; // Throws for an unusable identity.
    return {
      schema,
      document,
      operationName,
      variableValues: payload.variables,
      permit,
      push: { id, socket: connection.extra.writer, eventWriters },
      contextValue: createContext(engine, {
        caller,
        transport: 'websocket',
        requestId,
        address,
        client: program,
        waitedMs,
        waitedFor: permit.waitedFor,
        operationId: id,
        trace,
      }),
    };
  } catch (error) {
    return refuse([maskThrown(error, { requestId, engine })], exceededOf(error));
  }
}

/** Opens a subscription. If it pushes its events, graphql-ws has nothing more to do. */
async function openIfSubscription(
  args: AdmittedArgs,
  { connection, id, payload }: Subscribe,
  preparation: EventPreparation,
): Promise<OpenedArgs | AdmittedArgs | readonly GraphQLError[]> {
  const { permit, push, ...operation } = args;
  if (!isSubscription(operation)) return args;
  // Its token may be another than that of the socket.
  connection.extra.expiry.limit(operation.contextValue.caller?.token?.expiresAt);
  const opened = await openAdmitted(operation, permit, { preparation, push });
  if ('errors' in opened && shouldAwaitRecords(opened.errors, operation))
    connection.extra.writer.closeToRetry(awaitRecords);
  if (!('isPushed' in opened)) {
    forgetRequest(payload);
    return { ...args, variableValues: undefined, opened };
  }
  return connection.extra.pushed.takeOver({ connection, id, payload, events: opened });
}

/** Frees the memory of the request: graphql-ws holds the message of a subscription while that is open. */
function forgetRequest(payload: SubscribePayload): void {
  for (const member of Object.keys(payload)) Reflect.deleteProperty(payload, member);
}

export function isSubscription({
  document,
  operationName,
}: Pick<OperationArgs, 'document' | 'operationName'>): boolean {
  return getOperationAST(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
}

export interface AdmittedArgs extends OperationArgs {
  readonly permit: Permit;
  readonly push: PushTarget;
}

export interface OpenedArgs extends AdmittedArgs {
  readonly opened: Subscribed;
}

/** GraphiQL sends the headers from its headers pane in the `extensions` of the operation. */
function editorHeaders({ extensions }: SubscribePayload): unknown {
  return isRecord(extensions) ? extensions['headers'] : undefined;
}
