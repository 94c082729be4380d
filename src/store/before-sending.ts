import { StoreError } from '../errors.ts';

/** Says of a failure of the records that it kept a create from being sent. */
export async function beforeSending<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new StoreError(error.message, { cause: error.cause, isBeforeSending: true });
  }
}
