import { destination } from 'pino';

/** Lines wait this long for others, so that one write takes them all. Exits write the rest. */
const flushMs = 100;
const minBytes = 15_000;
/** Limit of the characters that wait for a reader, for example of a pipe that is open but never read. */
const maxWaitingChars = 2_000_000;
/** An exit waits this long for a reader. */
const exitMs = 500;

/**
 * Writes log lines together, because each write costs as much as a tenth of a small query. The timer runs only while lines
 * may wait: the periodic flush of pino would wake an idle process twenty times a second to write nothing. While nobody reads,
 * the latest lines are dropped, so that the log neither delays the server nor fills its memory.
 * @param onDropped receives the number of dropped lines when the others have been read
 */
export function createLogLines(fd: number, onDropped: (lines: number) => void = () => {}) {
  let endsAt = Number.POSITIVE_INFINITY;
  const lines = destination({
    dest: fd,
    sync: false,
    minLength: minBytes,
    maxLength: maxWaitingChars,
    retryEAGAIN: () => performance.now() < endsAt,
  });
  let timer: NodeJS.Timeout | undefined;
  let hasNewLines = false;
  let dropped = 0;
  const flushSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      lines.flush();
    }, flushMs).unref();
  };
  lines.on('drop', () => (dropped += 1));
  // A flush during a write does nothing, so lines that came meanwhile need another.
  lines.on('drain', () => {
    if (dropped > 0) {
      const count = dropped;
      dropped = 0;
      onDropped(count);
    }
    if (hasNewLines) flushSoon();
    hasNewLines = false;
  });
  const flushSync = lines.flushSync.bind(lines);
  // pino calls it at an exit.
  lines.flushSync = () => {
    endsAt = performance.now() + exitMs;
    try {
      flushSync();
    } catch {
      // Nobody reads them.
    }
  };
  return {
    write(line: string): void {
      lines.write(line);
      hasNewLines = true;
      flushSoon();
    },
    /** Writes what waits, if it is read. */
    flushSync: () => lines.flushSync(),
  };
}
