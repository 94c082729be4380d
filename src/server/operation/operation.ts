import type { IncomingHttpHeaders } from 'node:http';
import type { GraphQLError, GraphQLSchema, OperationTypeNode } from 'graphql';
import { RateLimitError } from '../../errors.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { Engine } from '../../generations/engine.ts';
import type { Context, Transport } from '../../graphql/context.ts';
import type { SlicedTurns } from '../../lib/fairness/fair-work.ts';
import type { SharedWait } from '../../lib/fairness/shared-waits.ts';
import { isRecord } from '../../lib/json.ts';
import type { JsonText } from '../../lib/json-pieces.ts';
import { outcomeOf } from '../../lib/once.ts';
import type { Admission, Permit } from '../admission/admission.ts';
import type { OperationSource } from '../admission/admission-path.ts';
import type { RecallCaller } from '../admission/recall-callers.ts';
import type { Callers } from '../callers/callers.ts';
import { findClient } from '../callers/client-name.ts';
import { TokenExpiredError } from '../callers/sign-in/token-expired.ts';
import { sizeOfAnswer, sizeOfErrors } from '../sending/answer-errors.ts';
import { writeLarge } from '../sending/large-answers.ts';
import type { CompiledQueries } from './compiled/compiled-queries.ts';
import type { EventWriters } from './compiled/event-writers.ts';
import { createContext } from './contexts.ts';
import type { Documents } from './documents.ts';
import type { EventPreparation } from './event-preparation.ts';
import { type Answer, type OperationArgs, runOperation } from './execution.ts';
import { findUnsentPart } from './find-create-fields.ts';
import type { IntrospectionRuns } from './introspection-runs.ts';
import { maskThrown, withAdvice } from './mask-errors.ts';
import { codesOf, exceededIn, exceededOf, reportRefused } from './report-operation.ts';
import { type EventTarget, openSubscription, type Subscribed } from './subscription.ts';
import { findTrace } from './traces.ts';
import type { DocumentSource } from './trusted-documents.ts';

/** What the operations of all transports share. */
export interface OperationOptions {
  readonly engine: Engine;
  readonly schema: GraphQLSchema;
  readonly callers: Callers;
  readonly recallCaller: RecallCaller;
  readonly admission: Admission;
  readonly documents: Documents;
  readonly introspections: IntrospectionRuns;
  readonly queries: CompiledQueries;
  readonly eventWriters: EventWriters;
  /** Of the owners whose events are prepared and sent. */
  readonly eventTurns: SlicedTurns;
  readonly preparation: EventPreparation;
}

/** Where an operation comes from. */
export interface Arrival {
  readonly transport: Transport;
  readonly requestId: string;
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
  /** Headers in later messages of the client. Later ones override earlier ones. */
  readonly client?: readonly unknown[];
  readonly socketId?: string;
  /** Of the message on the WebSocket. */
  readonly operationId?: string;
  /** Whether its client still waits for it. */
  readonly isAwaited?: () => boolean;
  /** If it is known before the operation is admitted. */
  readonly operationName?: unknown;
}

/** Members of a GraphQL request, as received. */
export interface ReceivedParams extends DocumentSource {
  readonly operationName?: unknown;
  readonly variables?: unknown;
}

/** An operation that is not executed. */
export interface Refused {
  readonly errors: readonly GraphQLError[];
  /** What refuses it: its document with its variables, or the identity of its caller. */
  readonly by: 'document' | 'caller';
  /** Undefined if several errors do. */
  readonly cause: unknown;
}

export function isRefused(prepared: OperationArgs | Refused): prepared is Refused {
  return 'errors' in prepared;
}

/**
 * One operation, the same for all transports. They call its methods in this order: `identify`, `admit`, `prepare`, then `answer`
 * or `open`, and `release` at its end. `refuse` ends it before.
 */
export class Operation {
  readonly #options: OperationOptions;
  #arrival: Arrival;
  readonly #arrivedAt = performance.now();
  #findCaller: () => Caller | undefined = () => undefined;
  #permit: Permit | undefined;
  #isWaiting = false;
  #waitedMs: number | undefined;
  #operationName: unknown;
  #type: OperationTypeNode | undefined;
  /** Undefined without a credential, and if the identity is unusable. */
  caller: Caller | undefined;
  /** Whether it has a log line and a span. */
  isReported = false;
  /** Whether it goes on without the connection that it came by. */
  isLasting = false;

  constructor(options: OperationOptions, arrival: Arrival) {
    this.#options = options;
    this.#arrival = arrival;
    this.#operationName = arrival.operationName;
  }

  /** Its events are posted to a router, which names the subscription. */
  arriveByCallback(subscriptionId: string): void {
    this.#arrival = { ...this.#arrival, transport: 'callback', operationId: subscriptionId };
  }

  get requestId(): string {
    return this.#arrival.requestId;
  }

  /** Undefined until its document is parsed. */
  get type(): OperationTypeNode | undefined {
    return this.#type;
  }

  /** Undefined until it enters admission. */
  get permit(): Permit | undefined {
    return this.#permit;
  }

  get source(): OperationSource {
    const { address, socketId } = this.#arrival;
    return { caller: this.caller, address, socketId };
  }

  /** Finds the caller. `prepare` reports an unusable identity. @throws RateLimitError if too many operations wait for that */
  async identify(): Promise<void> {
    const { admission, callers, recallCaller } = this.#options;
    const { headers, client, address } = this.#arrival;
    const wait: SharedWait = (run) => admission.waitOf(this.source)(run);
    this.#findCaller = await outcomeOf(callers.find({ headers, ...(client && { client }) }, wait));
    try {
      this.caller = this.#findCaller();
    } catch (error) {
      if (error instanceof RateLimitError) throw error;
      return;
    }
    const recall = this.caller && recallCaller(this.caller, address);
    if (recall) await wait(() => recall);
  }

  /** Resolves to false if `cancelWait` or `release` ends its wait. @throws RateLimitError if too many operations wait */
  async admit(): Promise<boolean> {
    const permit = this.#options.admission.enter(this.source);
    this.#permit = permit;
    if (!permit.admitted) return true;
    const queuedAt = performance.now();
    this.#isWaiting = true;
    const isAdmitted = await permit.admitted;
    this.#isWaiting = false;
    this.#waitedMs = performance.now() - queuedAt;
    return isAdmitted;
  }

  /** Removes it from the queue of admission. A running operation continues. */
  cancelWait(): void {
    if (this.#isWaiting) this.release();
  }

  /** Parses and validates the document, counts its cost, and creates the context. */
  prepare(params: ReceivedParams): OperationArgs | Refused {
    const { documents, schema } = this.#options;
    const { operationName, variables, ...source } = params;
    this.#operationName = operationName;
    let document: OperationArgs['document'];
    try {
      document = documents.parse(source);
      this.#type = documents.select(document, operationName).operation;
      const invalid = documents.validate(document);
      const errors =
        invalid.length > 0 ? invalid : documents.checkCost(document, { operationName, variables });
      if (errors.length > 0) return this.#refuseDocument(errors);
    } catch (error) {
      return this.refuse(error);
    }
    try {
      return {
        schema,
        document,
        contextValue: this.#createContext(),
        operationName: typeof operationName === 'string' ? operationName : undefined,
        variableValues: isRecord(variables) ? variables : undefined,
      };
    } catch (error) {
      return this.refuse(error, 'caller');
    }
  }

  /** Runs a query or mutation, to its end even if its client leaves: call `release` then. Never rejects. */
  async answer(args: OperationArgs, { isCompiled = true } = {}): Promise<Answer> {
    const { introspections, queries } = this.#options;
    this.isReported = true;
    this.isLasting = true;
    const answer = await runOperation(args, { introspections, queries: isCompiled ? queries : undefined });
    this.#permit?.countAnswer(() => sizeOfAnswer(answer));
    return answer;
  }

  /** The JSON of an answer. Resolves when it is written, if that takes several pieces. */
  write({ text, result, isLarge }: Answer): JsonText | Promise<JsonText> {
    if (isLarge) return writeLarge(result);
    return text ?? JSON.stringify(result);
  }

  /** Opens a subscription. Never rejects. */
  open(
    args: OperationArgs,
    target: Partial<Pick<EventTarget, 'preparation' | 'push' | 'onEvent' | 'isHeld'>> = {},
  ): Promise<Subscribed> {
    const { preparation, eventWriters } = this.#options;
    this.isReported = true;
    if (!this.#permit) throw new TypeError('the operation is not admitted');
    return openSubscription(args, this.#permit, { preparation, eventWriters, ...target });
  }

  /** Reports an operation that is not executed. `args`: if it was prepared. */
  refuse(cause: unknown, by: Refused['by'] = 'document', args?: OperationArgs): Refused {
    const { engine } = this.#options;
    const { requestId } = this.#arrival;
    const errors = [
      maskThrown(cause, { requestId, engine, ...(args && { findFailedPart: () => findUnsentPart(args) }) }),
    ];
    this.#reportRefused(errors, exceededOf(cause));
    return { errors, by, cause };
  }

  #refuseDocument(found: readonly GraphQLError[]): Refused {
    const errors = found.map((error) => withAdvice(error, this.#arrival.requestId));
    this.#reportRefused(errors, exceededIn(errors));
    return { errors, by: 'document', cause: undefined };
  }

  #reportRefused(errors: readonly GraphQLError[], exceeded: ReturnType<typeof exceededOf>): void {
    const { requestId, transport, address, headers, client = [] } = this.#arrival;
    this.isReported = true;
    this.#permit?.countAnswer(() => sizeOfErrors(errors));
    reportRefused(this.#options.engine, {
      requestId,
      transport,
      address,
      caller: this.caller,
      client: findClient(headers, client),
      trace: findTrace(headers, ...client),
      operationName: this.#operationName,
      operationType: this.#type,
      codes: codesOf(errors),
      exceeded,
      durationMs: performance.now() - this.#arrivedAt,
    });
  }

  /** @throws RequestError for an unusable identity */
  #createContext(): Context {
    const { engine } = this.#options;
    const { headers, client = [], transport, requestId, address, operationId, isAwaited } = this.#arrival;
    const caller = this.#findCaller();
    // It may have expired while the body arrived or the operation waited.
    if (caller?.token && engine.clock.now() >= caller.token.expiresAt) throw new TokenExpiredError();
    return createContext(engine, {
      caller,
      transport,
      requestId,
      address,
      operationId,
      isAwaited,
      client: findClient(headers, client),
      waitedMs: this.#waitedMs,
      waitedFor: this.#permit?.waitedFor,
      trace: findTrace(headers, ...client),
    });
  }

  /** Call when its last byte is sent, or when nobody waits for it. */
  release(): void {
    this.#permit?.release();
  }
}
