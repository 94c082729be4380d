/** Runs at the first call. Later calls get the same result. */
export function once<Result>(run: () => Result): () => Result {
  let first: { readonly result: Result } | undefined;
  return () => (first ??= { result: run() }).result;
}
