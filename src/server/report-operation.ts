import { type ExecutionResult, getOperationAST } from 'graphql';
import type { OperationArgs } from './execution.ts';

/** Reports the outcome of an operation, at its first call. `errors`: of a result, or those that prevented it. */
export type ReportOutcome = (outcome: Pick<ExecutionResult, 'errors'>) => void;

/** Call when an operation starts. Its outcome is one log line, and its duration a measurement. */
export function reportOperation({ document, operationName, contextValue }: OperationArgs): ReportOutcome {
  const operation = getOperationAST(document, operationName);
  const type = operation?.operation ?? 'query';
  const name = operation?.name?.value;
  const { engine, requestId, transport, caller } = contextValue;
  const startedAt = performance.now();
  let isReported = false;
  return ({ errors = [] }) => {
    if (isReported) return;
    isReported = true;
    const durationMs = performance.now() - startedAt;
    const codes = [...new Set(errors.map(({ extensions }) => String(extensions['code'])))];
    engine.log.info(
      {
        requestId,
        transport,
        operationType: type,
        operationName: name,
        owner: caller?.owner,
        durationMs: Math.round(durationMs * 10) / 10,
        ...(codes.length > 0 && { codes }),
      },
      'operation',
    );
    engine.metrics?.record('gengraph.graphql.operation.duration', durationMs / 1000, {
      'graphql.operation.type': type,
      'graphql.operation.name': name,
      'gengraph.transport': transport,
      'error.type': codes[0],
    });
  };
}
