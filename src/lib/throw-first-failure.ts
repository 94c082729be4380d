/** For what waited until all had ended. @throws the first failure */
export function throwFirstFailure(ends: readonly PromiseSettledResult<unknown>[]): void {
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
