import { RequestError } from '../../../errors.ts';

/** The token was valid and has expired. The client should come back with a new one. */
export class TokenExpiredError extends RequestError {
  constructor() {
    super('UNAUTHENTICATED', 'The token has expired. Send a new one.');
  }
}
