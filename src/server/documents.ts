import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { abbreviate } from '../lib/text.ts';
import { assertWithinLimits, limitError, operationLimits } from './operation-limits.ts';
import { rewriteError } from './rewrite-error.ts';
import { UnconditionalSubscriptionRule } from './unconditional-subscription.ts';

/** Parses and validates documents, each once while it is remembered. The same for every transport. */
export interface Documents {
  /** @throws GraphQLError with a code: not GraphQL, or larger than this API admits */
  parse(source: string): DocumentNode;
  validate(document: DocumentNode): readonly GraphQLError[];
  /** The operation to run. @throws GraphQLError BAD_REQUEST when there is none of this name, or several without one */
  select(document: DocumentNode, operationName: unknown): OperationDefinitionNode;
}

/** A parsed document takes up to 170 bytes for each of its characters. */
const maxCachedChars = 400_000;

/** GraphQL's own messages repeat names from the document, however long. */
const maxMessageChars = 500;

const rules = [...specifiedRules, UnconditionalSubscriptionRule];

export function createDocuments(schema: GraphQLSchema): Documents {
  const parsed = new LRUCache<string, DocumentNode>({
    maxSize: maxCachedChars,
    sizeCalculation: (_document, source) => source.length + 1,
  });
  const validated = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  return {
    parse(source) {
      const known = parsed.get(source);
      if (known) return known;
      const document = parseWithin(source);
      parsed.set(source, document);
      return document;
    },
    validate(document) {
      const errors = validated.get(document) ?? validateWithin(schema, document);
      validated.set(document, errors);
      // Copies: a transport may add facts of its own to the errors that it is given.
      return errors.map((error) => rewriteError(error, error));
    },
    select(document, operationName) {
      const name = operationName ?? undefined;
      const operation =
        name === undefined || typeof name === 'string' ? getOperationAST(document, name) : undefined;
      if (operation) return operation;
      throw new GraphQLError(
        name === undefined
          ? 'The document has no operation, or several: send operationName with it.'
          : 'The document has no operation of this name.',
        { extensions: { code: 'BAD_REQUEST' } },
      );
    },
  };
}

function parseWithin(source: string): DocumentNode {
  const { maxChars, maxTokens } = operationLimits;
  if (source.length > maxChars)
    throw limitError(`The document has more than ${maxChars} characters: send long values as variables.`);
  try {
    const document = parse(source, { maxTokens });
    assertWithinLimits(document, operationLimits);
    return document;
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    if (!(error instanceof GraphQLError) || error.extensions['code'] !== undefined) throw error;
    if (/token limit|more that \d+ tokens|more than \d+ tokens/i.test(error.message)) {
      throw limitError(`The operation has more than ${maxTokens} tokens.`);
    }
    throw withCode(error, 'GRAPHQL_PARSE_FAILED');
  }
}

function validateWithin(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  let errors: readonly GraphQLError[];
  try {
    errors = validate(schema, document, rules, { maxErrors: 20 });
  } catch (error) {
    if (error instanceof RangeError) return [tooDeep()];
    throw error;
  }
  // GraphQL gives up on fields that would take too long to compare with each other, and says no more than this.
  if (errors.some(({ message }) => message === 'Validation aborted.'))
    return [limitError('The operation repeats too many fields to be checked.')];
  return errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED'));
}

/** Parser and validator descend with the document: a stack overflow is the document's depth, not a defect. */
function tooDeep(): GraphQLError {
  return limitError('The operation is nested too deeply.');
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  return rewriteError(error, {
    message: abbreviate(error.message, maxMessageChars),
    extensions: { ...error.extensions, code },
  });
}
