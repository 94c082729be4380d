import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  TokenKind,
  validate,
  type ValidationRule,
} from 'graphql';
import type { Clock } from '../../lib/clock.ts';
import { abbreviate } from '../../lib/text.ts';
import { withoutFrames } from '../../lib/without-frames.ts';
import { createDocumentCache } from './document-cache.ts';
import { createIntrospectionLimit } from './introspection-cost.ts';
import { NoIntrospectionRule } from './no-introspection.ts';
import { anyVariables, countRecords } from './operation-cost.ts';
import {
  assertWithinLimits,
  fragmentsOf,
  hasTooManyValues,
  limitError,
  operationLimits,
} from './operation-limits.ts';
import { repeatsTooManyFields } from './repeated-fields.ts';
import { rewriteError } from './rewrite-error.ts';
import type { DocumentSource, TrustedDocuments } from './trusted-documents.ts';
import { UnconditionalSubscriptionRule } from './unconditional-subscription.ts';

/** Parses and validates documents, with a cache. Shared by all transports. */
export interface Documents {
  /** @throws GraphQLError GRAPHQL_PARSE_FAILED, LIMIT_EXCEEDED, or because the request names no trusted document */
  parse(source: DocumentSource): DocumentNode;
  validate(document: DocumentNode): readonly GraphQLError[];
  /** Errors if the variables, as received, have too many values, or if the valid operation can return too many records. */
  checkCost(document: DocumentNode, request: OperationRequest): readonly GraphQLError[];
  /** The operation to run. @throws GraphQLError BAD_REQUEST if the name matches none, or is missing and ambiguous */
  select(document: DocumentNode, operationName: unknown): OperationDefinitionNode;
}

interface OperationRequest {
  readonly operationName: unknown;
  readonly variables: unknown;
}

/** graphql-js messages quote names from the document, which may be very long. */
const maxMessageChars = 500;

/** Errors of larger documents have no locations. */
const maxLocatedLines = 1000;
const maxLocatedChars = 100_000;

/** Most brackets within each other. Deeper documents could overflow the stack of the validator. */
const maxNesting = 500;

const opening: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

const usualRules = [...specifiedRules, UnconditionalSubscriptionRule];

export interface DocumentsOptions {
  readonly schema: GraphQLSchema;
  readonly trusted: TrustedDocuments;
  /** Whether clients may read the schema. */
  readonly hasIntrospection: boolean;
  readonly clock: Pick<Clock, 'elapsed'>;
}

export function createDocuments({ schema, trusted, hasIntrospection, clock }: DocumentsOptions): Documents {
  const rules = hasIntrospection ? usualRules : [...usualRules, NoIntrospectionRule];
  const parsed = createDocumentCache(clock);
  const limitIntrospection = createIntrospectionLimit(schema);
  const validateOnce = (document: DocumentNode): readonly GraphQLError[] => {
    // They are kept with the document.
    const errors = validateWithinLimits(document, { schema, rules }).map(withoutFrames);
    if (errors.length > 0) return errors;
    const fragments = fragmentsOf(document);
    return document.definitions.flatMap((operation) => {
      if (operation.kind !== Kind.OPERATION_DEFINITION) return [];
      const problem = limitIntrospection({ operation, fragments });
      return problem === undefined ? [] : [withoutFrames(limitError(problem))];
    });
  };
  const validated = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  /** Most operations are small with any variables, which is known once per document. */
  const largestCosts = new WeakMap<OperationDefinitionNode, number>();
  const largestCost = (document: DocumentNode, operation: OperationDefinitionNode): number => {
    const known = largestCosts.get(operation);
    if (known !== undefined) return known;
    const fragments = fragmentsOf(document);
    const cost = countRecords({ schema, operation, fragments, variables: anyVariables });
    largestCosts.set(operation, cost);
    return cost;
  };
  return {
    parse(source) {
      const text = trusted.find(source);
      const known = parsed.find(text);
      if (known) return known;
      const document = parseWithinLimits(text);
      parsed.add(text, document);
      return document;
    },
    validate(document) {
      const errors = validated.get(document) ?? validateOnce(document);
      validated.set(document, errors);
      // Copies, because transports may modify the errors.
      return errors.map((error) => rewriteError(error, error));
    },
    checkCost(document, { operationName, variables }) {
      const { maxVariableValues, maxRecords } = operationLimits;
      if (hasTooManyValues(variables))
        return [
          limitError(
            `The variables have more than ${maxVariableValues} values, inside of lists and objects included.`,
          ),
        ];
      const operation = select(document, operationName);
      if (largestCost(document, operation) <= maxRecords) return [];
      const count = countRecords({ schema, operation, fragments: fragmentsOf(document), variables });
      return count > maxRecords ? [tooManyRecords(count)] : [];
    },
    select,
  };
}

function select(document: DocumentNode, operationName: unknown): OperationDefinitionNode {
  const name = operationName ?? undefined;
  const operation =
    name === undefined || typeof name === 'string' ? getOperationAST(document, name) : undefined;
  if (operation) return operation;
  throw new GraphQLError(
    name === undefined
      ? 'The document has no operation, or more than one. If it has more than one, send operationName.'
      : 'The document has no operation with this operationName.',
    { extensions: { code: 'BAD_REQUEST' } },
  );
}

function tooManyRecords(count: number): GraphQLError {
  return limitError(
    `The operation can return ${count} records, counted from first, last, ids and representations. At most ${operationLimits.maxRecords} are allowed. Request smaller pages or split the operation.`,
  );
}

function parseWithinLimits(source: string): DocumentNode {
  const { maxChars, maxTokens } = operationLimits;
  if (source.length > maxChars)
    throw limitError(`The document has more than ${maxChars} characters. Send long values as variables.`);
  try {
    const document = parse(source, { maxTokens });
    if (nestingOf(document) > maxNesting) throw tooDeep();
    assertWithinLimits(document);
    return hasCheapLocations(document) ? document : parse(source, { maxTokens, noLocation: true });
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    if (!(error instanceof GraphQLError) || error.extensions['code'] !== undefined) throw error;
    if (/token limit|more that \d+ tokens|more than \d+ tokens/i.test(error.message)) {
      throw limitError(`The operation has more than ${maxTokens} tokens.`);
    }
    throw withCode(error, 'GRAPHQL_PARSE_FAILED');
  }
}

/** graphql-js counts the lines before the location of every error, and one operation can have thousands of errors. */
function hasCheapLocations({ loc }: DocumentNode): boolean {
  return loc !== undefined && loc.endToken.line <= maxLocatedLines && loc.end <= maxLocatedChars;
}

/** Deepest nesting of brackets. Field depth has its own limit, but literal values nest too, and the validator is recursive. */
function nestingOf({ loc }: DocumentNode): number {
  let depth = 0;
  let deepest = 0;
  for (let token = loc?.startToken ?? null; token; token = token.next) {
    if (opening.has(token.kind)) depth += 1;
    else if (closing.has(token.kind)) depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

interface ValidateOptions {
  readonly schema: GraphQLSchema;
  readonly rules: readonly ValidationRule[];
}

function validateWithinLimits(
  document: DocumentNode,
  { schema, rules }: ValidateOptions,
): readonly GraphQLError[] {
  if (repeatsTooManyFields(document, fragmentsOf(document))) return [tooManyRepeats()];
  let errors: readonly GraphQLError[];
  try {
    errors = validate(schema, document, rules, { maxErrors: 20 });
  } catch (error) {
    if (error instanceof RangeError) return [tooDeep()];
    throw error;
  }
  // graphql-js aborts with this message if comparing repeated fields would take too long.
  if (errors.some(({ message }) => message === 'Validation aborted.')) return [tooManyRepeats()];
  return errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED'));
}

function tooManyRepeats(): GraphQLError {
  return limitError('The operation repeats too many fields to be validated.');
}

/** Parser and validator are recursive: a stack overflow means that the document is nested too deeply. */
function tooDeep(): GraphQLError {
  return limitError('The operation is nested too deeply.');
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  return rewriteError(error, {
    message: abbreviate(error.message, maxMessageChars),
    extensions: { ...error.extensions, code },
  });
}
