import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { createLogLines } from './lib/log-lines.ts';

export interface ProgramLog {
  readonly log: Logger;
  /** Writes what is buffered. Absent if the log is not this program's own. */
  readonly flushSync?: () => void;
}

/** Writes to standard output. @param base members of every line */
export function createLog(
  { LOG_LEVEL: level }: Pick<Config, 'LOG_LEVEL'>,
  base: Readonly<Record<string, unknown>> | null = null,
): Required<ProgramLog> {
  const lines = createLogLines(process.stdout.fd, (dropped) =>
    log.warn({ lines: dropped }, 'log lines were dropped: standard output was not read'),
  );
  const log: Logger = pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, lines);
  return { log, flushSync: lines.flushSync };
}
