import { type DestinationStream, destination } from 'pino';

/** Lines wait this long for others, so that one write takes them all. Exits write the rest. */
const flushMs = 100;
const minBytes = 15_000;

/**
 * Writes log lines together, because each write costs as much as a tenth of a small query. The timer runs only while lines
 * may wait: the periodic flush of pino would wake an idle process twenty times a second to write nothing.
 */
export function createLogLines(fd: number): DestinationStream & { flushSync(): void } {
  const lines = destination({ dest: fd, minLength: minBytes });
  let timer: NodeJS.Timeout | undefined;
  let hasNewLines = false;
  const flushSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      lines.flush();
    }, flushMs).unref();
  };
  // A flush during a write does nothing, so lines that came meanwhile need another.
  lines.on('drain', () => {
    if (hasNewLines) flushSoon();
    hasNewLines = false;
  });
  return {
    write(line) {
      lines.write(line);
      hasNewLines = true;
      flushSoon();
    },
    flushSync: () => lines.flushSync(),
  };
}
