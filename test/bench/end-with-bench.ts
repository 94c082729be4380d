/** A process without a channel to the bench outlives it. Ends it when the bench exits early. Returns how to undo that. */
export function endWithBench(processId: number): () => void {
  const end = (): void => {
    try {
      process.kill(processId, 'SIGINT');
    } catch {
      // It has ended.
    }
  };
  process.once('exit', end);
  return () => void process.off('exit', end);
}
