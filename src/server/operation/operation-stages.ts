import type { IncomingMessage } from 'node:http';
import {
  type DocumentNode,
  type ExecutionResult,
  getOperationAST,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql';
import { RequestError } from '../../errors.ts';
import type { CompiledQueries } from './compiled/compiled-queries.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { Engine } from '../../generations/engine.ts';
import type { Context, Transport } from '../../graphql/context.ts';
import { pieceChars } from '../../lib/json-size.ts';
import { outcomeOnce } from '../../lib/once.ts';
import type { Permit } from '../admission/admission.ts';
import { sizeOfErrors } from '../sending/answer-errors.ts';
import { createContext } from './contexts.ts';
import { TokenExpiredError } from '../callers/sign-in/token-expired.ts';
import type { Documents } from './documents.ts';
import type { EventPreparation } from './event-preparation.ts';
import { answerOperation, executeOperation, maskThrown, type OperationArgs } from './execution.ts';
import type { IntrospectionRuns } from './introspection-runs.ts';
import {
  codeOf,
  codesOf,
  exceededIn,
  type ExceededLimit,
  exceededOf,
  type RefusedOperation,
} from './report-operation.ts';
import { rewriteError } from './rewrite-error.ts';
import { sizeOfAnswer, sizeOfThrown } from '../sending/size-of-answer.ts';
import type { TrackedResponse } from '../sending/tracked-response.ts';
import { findClient } from '../callers/client-name.ts';
import { findTrace } from './traces.ts';
import type { DocumentSource } from './trusted-documents.ts';

/** The stages of an operation. Each runs once: later calls get the first outcome, also if it is an error. */
export interface OperationStages {
  /** @throws GraphQLError if the document cannot be parsed or has no such operation */
  document(): DocumentNode;
  /** Errors of validation. */
  errors(): readonly GraphQLError[];
  /** The result, or its JSON text if it is small. */
  answer(): Promise<string | ExecutionResult>;
  /** Whether the result is written in pieces. */
  isLarge(): boolean;
}

/** A GraphQL request over HTTP. */
export interface HttpExchange {
  readonly req: IncomingMessage;
  readonly res: TrackedResponse;
  readonly requestId: string;
  readonly permit: Permit;
  /** How long the operation waited for admission. */
  readonly waitedMs?: number | undefined;
  /** Network address of the client. */
  readonly address: string;
  readonly transport: Transport;
  /** Reports an operation that is not executed. */
  readonly reportRefused: (
    refused: Pick<RefusedOperation, 'codes' | 'exceeded' | 'operationName' | 'operationType'>,
  ) => void;
  /** Its execution begins: it has a span from now on. */
  readonly onExecute?: () => void;
  /** @throws RequestError for an unusable identity */
  readonly findCaller: () => Caller | undefined;
  /** The body of a POST. @throws SyntaxError if it is not JSON */
  readonly readJson: () => unknown;
}

export interface StagesOptions {
  readonly engine: Engine;
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly introspections: IntrospectionRuns;
  readonly queries: CompiledQueries;
  readonly preparation: EventPreparation;
}

/** Members of a GraphQL request, as received. */
export interface ReceivedParams extends DocumentSource {
  readonly operationName?: unknown;
  readonly variables?: unknown;
}

export interface HttpStages extends OperationStages {
  context(): Context;
  /** Executes the operation, unless `answer` has. */
  result(): Promise<ExecutionResult>;
}

/** The stages of one operation over HTTP, for the fast way and for Yoga. */
export function createStages(
  { engine, schema, documents, introspections, queries }: StagesOptions,
  {
    req,
    requestId,
    permit,
    waitedMs,
    address,
    transport,
    findCaller,
    reportRefused,
    onExecute,
  }: HttpExchange,
  { operationName, variables, ...source }: ReceivedParams,
): HttpStages {
  const refuse = (error: unknown): void => {
    permit.countAnswer(() => sizeOfThrown(error));
    report([codeOf(error)], exceededOf(error));
  };
  const report = (codes: readonly string[], exceeded: ExceededLimit | undefined): void =>
    reportRefused({ codes, exceeded, operationName, operationType: typeOf() });
  let parsed: DocumentNode | undefined;
  const document = outcomeOnce((): DocumentNode => {
    try {
      const found = documents.parse(source);
      documents.select(found, operationName);
      return (parsed = found);
    } catch (error) {
      refuse(error);
      throw error;
    }
  });
  const typeOf = (): string | undefined => {
    if (!parsed) return undefined;
    // `select` has checked the name.
    return getOperationAST(parsed, operationName as string | undefined)?.operation;
  };
  const errors = outcomeOnce((): readonly GraphQLError[] => {
    const invalid = documents.validate(document());
    const found =
      invalid.length > 0 ? invalid : documents.checkCost(document(), { operationName, variables });
    if (found.length === 0) return found;
    permit.countAnswer(() => sizeOfErrors(found));
    report(codesOf(found), exceededIn(found));
    return found;
  });
  const context = outcomeOnce((): Context => {
    const { headers } = req;
    try {
      const caller = findCaller();
      // It may have expired while the body arrived or the operation waited.
      if (caller?.token && engine.clock.now() >= caller.token.expiresAt) throw new TokenExpiredError();
      return createContext(engine, {
        caller,
        transport,
        requestId,
        address,
        client: findClient(headers),
        waitedMs,
        waitedFor: permit.waitedFor,
        trace: findTrace(headers),
      });
    } catch (error) {
      refuse(error);
      const masked = maskThrown(error, { requestId, engine });
      throw rewriteError(masked, { extensions: { ...masked.extensions, http: httpReplyOf(error) } });
    }
  });
  const toArgs = (): OperationArgs => {
    const contextValue = context();
    onExecute?.();
    return {
      schema,
      document: document(),
      contextValue,
      // `select` and validation have checked both.
      variableValues: variables as Readonly<Record<string, unknown>> | undefined,
      operationName: operationName as string | undefined,
    };
  };
  const end = (outcome: string | ExecutionResult): void => {
    permit.countAnswer(() => sizeOfAnswer(outcome));
    permit.release();
  };
  let answered: Promise<string | ExecutionResult> | undefined;
  const answer = (): Promise<string | ExecutionResult> => (answered ??= run());
  const run = async (): Promise<string | ExecutionResult> => {
    const executed = await answerOperation(toArgs(), { introspections, queries });
    const outcome = typeof executed === 'string' ? executed : withStatus(executed);
    end(outcome);
    return outcome;
  };
  const result = outcomeOnce(async (): Promise<ExecutionResult> => {
    const known = await answered;
    // The fast way has sent every text.
    if (typeof known === 'string') throw new TypeError('the operation has been answered');
    if (known) return known;
    const executed = withStatus(await executeOperation(toArgs(), introspections));
    end(executed);
    return executed;
  });
  const isLarge = (): boolean => context().budget.answerBytes > pieceChars;
  return { document, errors, context, answer, result, isLarge };
}

/** An operation that was refused as a whole has the status of its error, like one that is refused before it is parsed. */
function withStatus(outcome: ExecutionResult): ExecutionResult {
  if (outcome.data !== undefined || !outcome.errors) return outcome;
  const errors = outcome.errors.map((error) => {
    const { code, retryAfterSeconds } = error.extensions;
    const http = { status: 429, headers: { 'retry-after': String(retryAfterSeconds) } };
    return code === 'RATE_LIMITED'
      ? rewriteError(error, { extensions: { ...error.extensions, http } })
      : error;
  });
  return { ...outcome, errors };
}

/** The status and headers of a reply to an identity that cannot be used. */
function httpReplyOf(error: unknown): {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
} {
  if (!(error instanceof RequestError)) return { status: 500 };
  if (error.code === 'AUTH_UNAVAILABLE') return { status: 503, headers: { 'retry-after': '1' } };
  if (error.code !== 'UNAUTHENTICATED') return { status: 400 };
  return { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } };
}
