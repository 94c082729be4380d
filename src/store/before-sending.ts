import { RecordsUnavailableError } from '../errors.ts';

/** Runs a store write that precedes a create. Marks its RecordsUnavailableError with `isBeforeSending`: nothing was sent to the gateway. */
export async function beforeSending<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof RecordsUnavailableError)) throw error;
    throw new RecordsUnavailableError(error.message, { cause: error.cause, isBeforeSending: true });
  }
}
