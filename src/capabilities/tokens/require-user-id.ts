import { RequestError } from '../../errors.ts';
import type { Caller } from '../../gateway/caller.ts';

/** Every token is created with a system token and a user id. @throws RequestError UNAUTHENTICATED */
export function requireUserId(field: 'createToken' | 'accessTokens', { userId }: Caller): void {
  if (userId) return;
  throw new RequestError(
    'UNAUTHENTICATED',
    `${field} needs the header new-api-user in addition to the system token.`,
  );
}
