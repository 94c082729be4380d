/** Runs at the first call. Later calls get the same result. */
export function once<Result>(run: () => Result): () => Result {
  let first: { readonly result: Result } | undefined;
  return () => (first ??= { result: run() }).result;
}

/** Like `once`. Later calls also get the same error. */
export function outcomeOnce<Result>(run: () => Result): () => Result {
  let outcome: (() => Result) | undefined;
  return () => {
    if (outcome) return outcome();
    try {
      const result = run();
      outcome = () => result;
      return result;
    } catch (error) {
      outcome = () => {
        throw error;
      };
      throw error;
    }
  };
}

/** Waits for the promise. The function that it resolves to returns its value, or throws its error. */
export async function outcomeOf<Result>(promise: Promise<Result>): Promise<() => Result> {
  try {
    const result = await promise;
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
