import { findErrorCode } from '../../gateway/decode-error.ts';
import type { Asset } from '../../generations/asset.ts';
import { asWebAddress } from '../../lib/addresses.ts';
import { asBoolean, asId, asJsonObject, asRecord, asString, type Json } from '../../lib/json.ts';
import { toMilliseconds } from '../../lib/time.ts';
import { isTerminal, type StoredOutput } from '../../store/records.ts';
import { reconcileStatus, toTaskStatus } from '../../tasks/status.ts';
import { taskFailure, type TaskReading } from '../../tasks/task-kinds.ts';
import { acknowledgement, findFailure } from '../../tasks/task-record.ts';
import { findFiles } from './find-files.ts';

/** The output of a hosted model. */
export interface PredictionOutput extends StoredOutput {
  readonly type: 'prediction-output';
  readonly model?: string | undefined;
  readonly version?: string | undefined;
  readonly dataRemoved?: boolean | undefined;
  readonly files: readonly Asset[];
  /** The whole output. Its files are also listed as assets. */
  readonly value: Json;
}

export const decodePredictionAcknowledgement = acknowledgement(decodePrediction, (reply) =>
  asId(asRecord(reply)?.['id']),
);

/** Reads a prediction record, from the create or from a later read. */
export function decodePrediction(reply: Json): TaskReading {
  const body = asRecord(reply) ?? {};
  const value = body['output'] ?? null;
  const message = findFailure(body);
  const said = reconcileStatus({
    outer: asString(body['status']),
    inner: innerStatus(body),
    hasResult: value !== null,
    hasError: message !== undefined,
    isOver: body['data_removed'] === true || asString(body['completed_at']) !== undefined,
  });
  const isFailed = said.rawStatus === undefined && message !== undefined;
  const status = isFailed ? 'FAILED' : said.status;
  const urls = asRecord(body['urls']);
  const dataRemoved = asBoolean(body['data_removed']);
  const output: PredictionOutput = {
    type: 'prediction-output',
    model: asString(body['model']),
    version: asString(body['version']),
    dataRemoved,
    files: findFiles(value),
    value,
  };
  return {
    status,
    rawStatus: said.rawStatus,
    ...(said.isUnprovenSuccess && { isUnprovenSuccess: true }),
    logs: asString(body['logs']) || undefined,
    progress: progressOf(asString(body['logs'])),
    createdAt: toMilliseconds(body['created_at']),
    output: value === null ? undefined : output,
    error: taskFailure(status, message, findErrorCode([body])),
    servedBy: { model: asString(body['model']), version: asString(body['version']) },
    request: asJsonObject(body['input']),
    metrics: asJsonObject(body['metrics']),
    isDataRemoved: dataRemoved,
    links: {
      get: asWebAddress(urls?.['get']),
      cancel: asWebAddress(urls?.['cancel']),
      stream: asWebAddress(urls?.['stream']),
      web: asWebAddress(urls?.['web']),
    },
    raw: reply,
  };
}

/**
 * Output alone does not end a prediction: `intermediate_output` sends it while the model runs. An end time does, unless
 * the status is already terminal.
 */
function innerStatus(body: Readonly<Record<string, unknown>>): string | undefined {
  const isEnded = isTerminal(toTaskStatus(asString(body['status'])));
  return !isEnded && asString(body['completed_at']) ? 'completed' : undefined;
}

/** The last percentage in the log, as progress bars print it: ` 40%|████      | 20/50`. */
function progressOf(logs: string | undefined): number | undefined {
  const shares = logs?.slice(-2000).match(/\b\d{1,3}(?=%\|)/g);
  const last = shares?.at(-1);
  return last === undefined ? undefined : Math.min(1, Number(last) / 100);
}
