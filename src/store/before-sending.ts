import { StoreError } from '../errors.ts';

/** Runs a store write that precedes a create. Marks its StoreError with `isBeforeSending`: nothing was sent to the gateway. */
export async function beforeSending<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new StoreError(error.message, { cause: error.cause, isBeforeSending: true });
  }
}
