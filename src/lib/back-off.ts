export interface BackOff {
  /** After the first failure. It doubles with each further one. */
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Exponential back-off. @param failures in a row, from 1 */
export function backOffMs(failures: number, { firstMs, maxMs }: BackOff): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1));
}
