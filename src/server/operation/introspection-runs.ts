import { createHash } from 'node:crypto';
import {
  type ExecutionResult,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
  stripIgnoredCharacters,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { RateLimitError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { noLimits } from '../../lib/fairness/fair-queue.ts';
import { createPacedWork } from '../../lib/fairness/fair-work.ts';
import { stringifyJson } from '../../lib/json.ts';
import { sizeOfValue } from '../../lib/json-size.ts';
import type { OwnerGroups } from '../admission/owner-groups.ts';
import type { OperationArgs } from './execution.ts';
import { mergeFields } from './merged-fields.ts';
import { fragmentsOf } from './operation-limits.ts';

/** Runs the operations that describe the schema, and caches the results of those that do nothing else. */
export interface IntrospectionRuns {
  /**
   * The result of an earlier execution, or of `run`. Introspection that is not cached waits for its turn.
   * @throws RateLimitError if too many wait
   */
  find(args: OperationArgs, run: () => Promise<ExecutionResult>): Promise<ExecutionResult>;
}

type Data = NonNullable<ExecutionResult['data']>;

/** Size of all results, in characters of JSON. */
const maxResultChars = 8_000_000;
/** Longer variables are not worth a cache entry. */
const maxVariablesChars = 1000;
/** Operations that ran once. The result of the second execution is cached. */
const maxSeen = 1000;

/** Introspection needs no credential, and each one can block the event loop for tens of milliseconds. */
const maxEventLoopShare = 0.2;
const ofAll = { key: '', limits: { ...noLimits, waiting: 200 } };
const ofGroup = { ...noLimits, waiting: 20 };

const describingFields: ReadonlySet<string> = new Set(['__schema', '__type', '_service']);

export interface IntrospectionRunsOptions {
  /** The callers that take turns as one. */
  readonly ownerGroups: Pick<OwnerGroups, 'groupOf'>;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
}

export function createIntrospectionRuns({ ownerGroups, clock }: IntrospectionRunsOptions): IntrospectionRuns {
  const results = new LRUCache<string, { readonly data: Data; readonly chars: number }>({
    maxSize: maxResultChars,
    sizeCalculation: ({ chars }, key) => chars + key.length,
  });
  const seen = new LRUCache<string, true>({ max: maxSeen });
  const runPaced = createPacedWork({
    share: maxEventLoopShare,
    pathOf: (key) => [ofAll, { key, limits: ofGroup }],
    refuse: () =>
      new RateLimitError('Too many introspection operations are waiting. Retry, or send each one once.', {
        retryAfterSeconds: 1,
      }),
    clock,
  });
  const extents = new WeakMap<OperationDefinitionNode, Extent>();
  const extentOf = (args: OperationArgs): Extent => {
    const operation = getOperationAST(args.document, args.operationName);
    if (operation?.operation !== OperationTypeNode.QUERY) return 'none';
    const extent = extents.get(operation) ?? measureExtent(operation, args);
    extents.set(operation, extent);
    return extent;
  };
  const add = (key: string, data: Data): Data => {
    const text = JSON.stringify(data);
    // A parsed copy is written several times faster than the objects of graphql-js.
    const copy: Data = JSON.parse(text);
    results.set(key, { data: copy, chars: text.length });
    return copy;
  };
  return {
    async find(args, run) {
      const extent = extentOf(args);
      if (extent === 'none') return run();
      const key = extent === 'all' ? keyOf(args) : undefined;
      const known = key === undefined ? undefined : results.get(key);
      if (known) return { data: known.data };
      const { caller, address } = args.contextValue;
      const group = caller ? ownerGroups.groupOf(caller.owner) : `address ${address}`;
      const result = await runPaced(group, run);
      if (key === undefined || result.errors || !result.data) return result;
      if (seen.has(key)) return { data: add(key, result.data) };
      seen.set(key, true);
      return result;
    },
  };
}

/** Documents that differ only in comments and white space share a result. */
function keyOf({ document, operationName, variableValues }: OperationArgs): string | undefined {
  const source = document.loc?.source.body;
  const variables = variableValues ?? {};
  if (source === undefined || sizeOfValue(variables, maxVariablesChars) > maxVariablesChars) return undefined;
  const key = stringifyJson([operationName ?? '', variables, stripIgnoredCharacters(source)]);
  return createHash('sha256').update(key).digest('base64');
}

/** Whether an operation describes the schema, and whether it does nothing else. */
type Extent = 'none' | 'part' | 'all';

function measureExtent(operation: OperationDefinitionNode, { schema, document }: OperationArgs): Extent {
  const parent = schema.getQueryType();
  const fragments = fragmentsOf(document);
  const fields = parent ? mergeFields([operation.selectionSet], { schema, fragments, parent }) : [];
  const describing = fields.filter(({ field }) => describingFields.has(field.name));
  if (describing.length === 0) return 'none';
  return describing.length === fields.length ? 'all' : 'part';
}
