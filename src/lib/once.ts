/** Runs at the first call. Later calls get the same result. */
export function once<Result>(run: () => Result): () => Result {
  let first: { readonly result: Result } | undefined;
  return () => (first ??= { result: run() }).result;
}

/** Like `once`. Later calls also get the same error. Does not hold `run` after the first call. */
export function outcomeOnce<Result>(run: () => Result): () => Result {
  let outcome = run;
  let isKnown = false;
  return () => {
    if (isKnown) return outcome();
    try {
      const result = outcome();
      outcome = () => result;
      return result;
    } catch (error) {
      outcome = () => {
        throw error;
      };
      throw error;
    } finally {
      isKnown = true;
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
