import { RequestError } from '../../errors.ts';
import { type Caller, requirePermission } from '../../gateway/caller.ts';

/** Every token is created with a system token and a user id. @throws RequestError UNAUTHENTICATED */
export function requireUserId(field: 'createAccessToken' | 'accessTokens', { userId }: Caller): void {
  if (userId) return;
  throw new RequestError(
    'UNAUTHENTICATED',
    `${field} needs the header new-api-user in addition to the system token.`,
  );
}

/** The caller with a system token as credential. @throws RequestError UNAUTHENTICATED, FORBIDDEN */
export function withSystemToken(caller: Caller): Caller {
  const { heldKey } = caller;
  if (!heldKey) {
    requireUserId('createAccessToken', caller);
    return caller;
  }
  requirePermission(caller, 'createAccessToken', 'createAccessToken');
  if (!heldKey.system)
    throw new RequestError(
      'FORBIDDEN',
      'This server has no system token. Ask its operator to set GATEWAY_SYSTEM_TOKEN.',
      { retry: 'NEVER' },
    );
  return { ...caller, credential: heldKey.system.token, userId: heldKey.system.userId };
}
