/** Maximum time that open handles keep the process alive after the drain. */
const lingerMs = 5000;

/**
 * Lets the empty event loop end the process. `process.exit` joins Node's compiler threads while their heap still exists,
 * and hangs when one of them waits for a garbage collection (https://github.com/nodejs/node/issues/54918).
 */
export function exitWhenIdle(code: number): void {
  process.exitCode = code;
  const timer = setTimeout(() => {
    const handles = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(`Stopped with open handles after ${lingerMs} ms: ${handles}\n`);
    process.exit();
  }, lingerMs);
  timer.unref();
}
