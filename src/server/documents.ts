import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import { assertWithinLimits, limitError, operationLimits } from './operation-limits.ts';
import { rewriteError } from './rewrite-error.ts';

/** Parses and validates documents, each once while it is remembered. The same for every transport. */
export interface Documents {
  /** @throws GraphQLError with a code: not GraphQL, or larger than this API admits */
  parse(source: string): DocumentNode;
  validate(document: DocumentNode): readonly GraphQLError[];
}

/** A parsed document takes some fifty times the room of its text. */
const maxCachedChars = 1_000_000;

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
      const known = validated.get(document);
      if (known) return known;
      const errors = validate(schema, document, undefined, { maxErrors: 20 }).map((error) =>
        withCode(error, 'GRAPHQL_VALIDATION_FAILED'),
      );
      validated.set(document, errors);
      return errors;
    },
  };
}

function parseWithin(source: string): DocumentNode {
  try {
    const document = parse(source, { maxTokens: operationLimits.maxTokens });
    assertWithinLimits(document, operationLimits);
    return document;
  } catch (error) {
    // The parser descends with the document: a stack overflow is the document's depth, not a defect.
    if (error instanceof RangeError) throw limitError('The operation is nested too deeply.');
    if (!(error instanceof GraphQLError) || error.extensions['code'] !== undefined) throw error;
    if (/token limit|more that \d+ tokens|more than \d+ tokens/i.test(error.message)) {
      throw limitError(`The operation has more than ${operationLimits.maxTokens} tokens.`);
    }
    throw withCode(error, 'GRAPHQL_PARSE_FAILED');
  }
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  return rewriteError(error, { extensions: { ...error.extensions, code } });
}
