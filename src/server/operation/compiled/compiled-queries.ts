import {
  type DocumentNode,
  getOperationAST,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { Context, RootValues } from '../../../graphql/context.ts';
import { compileQuery, type CompiledQuery } from './compile-query.ts';

interface QueryRequest {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly contextValue: Context;
  /** As received. */
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Runs queries that clients repeat without graphql-js. */
export interface CompiledQueries {
  /**
   * Returns the JSON text of the answer, if it has no errors. Otherwise graphql-js must execute the query: with the returned
   * root values, so that no root field resolves twice.
   */
  run(request: QueryRequest): Promise<string | RootValues | undefined> | undefined;
}

/** A query is compiled at this use. */
const compiledAtUse = 2;
/** A query that graphql-js had to finish this many times in a row is not compiled any more. */
const maxFallbacks = 3;

interface Usage {
  uses: number;
  fallbacks: number;
  compiled: CompiledQuery | undefined;
}

/** Compiled queries live as long as their parsed document, so the cache of documents bounds them. */
export function createCompiledQueries(schema: GraphQLSchema): CompiledQueries {
  const usages = new WeakMap<OperationDefinitionNode, Usage>();

  const countUse = (document: DocumentNode, operation: OperationDefinitionNode): Usage => {
    const usage = usages.get(operation) ?? { uses: 0, fallbacks: 0, compiled: undefined };
    usages.set(operation, usage);
    usage.uses += 1;
    if (usage.uses === compiledAtUse) usage.compiled = compileQuery(schema, document, operation);
    return usage;
  };
  const run = async (
    usage: Usage,
    compiled: CompiledQuery,
    { contextValue, variableValues }: QueryRequest,
  ): Promise<string | RootValues | undefined> => {
    const outcome = await compiled(contextValue, variableValues ?? {});
    if (outcome.text !== undefined) {
      usage.fallbacks = 0;
      return outcome.text;
    }
    if (outcome.isUnsupported) {
      usage.fallbacks += 1;
      if (usage.fallbacks >= maxFallbacks) usage.compiled = undefined;
      const { requestId, engine } = contextValue;
      engine.log.debug({ requestId, fallbacks: usage.fallbacks }, 'graphql-js finished a compiled query');
    }
    return outcome.rootValues;
  };
  return {
    run(request) {
      const operation = getOperationAST(request.document, request.operationName);
      if (operation?.operation !== OperationTypeNode.QUERY) return undefined;
      const usage = countUse(request.document, operation);
      return usage.compiled && run(usage, usage.compiled, request);
    },
  };
}
