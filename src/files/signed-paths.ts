import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs paths, so that whoever has one can use it for a while, and nobody can make another. */
export interface SignedPaths {
  /** Path and query below the address of the server. */
  sign(
    action: FileAction,
    id: string,
    options: { readonly now: number; readonly extension?: string },
  ): SignedPath;
  /** The id in a path. Undefined if it was changed, is for another action, or has expired. */
  verify(action: FileAction, path: string, now: number): VerifiedPath | undefined;
}

export type FileAction = 'read' | 'write';

export interface SignedPath {
  readonly path: string;
  /** Of its time: the path is the same for a while, so that browsers find the file in their caches. */
  readonly startsAt: number;
  readonly expiresAt: number;
}

export interface VerifiedPath {
  readonly id: string;
  readonly expiresAt: number;
}

const filesPath = '/files/';

/** @param secret of the records: all servers that share them sign alike */
export function createSignedPaths(secret: Uint8Array, lifetimeMs: number): SignedPaths {
  const key = createHmac('sha256', secret).update('addresses of files').digest();
  const signatureOf = (action: FileAction, id: string, expires: string): Buffer =>
    createHmac('sha256', key).update(`${action} ${id} ${expires}`).digest();
  return {
    sign(action, id, { now, extension = '' }) {
      const startsAt = now - (now % lifetimeMs);
      const expiresAt = startsAt + 2 * lifetimeMs;
      const expires = expiresAt.toString(36);
      const signature = signatureOf(action, id, expires).toString('base64url');
      return { path: `${filesPath}${id}${extension}?e=${expires}&s=${signature}`, startsAt, expiresAt };
    },
    verify(action, path, now) {
      const [, id = '', expires = '', signature = ''] =
        /^\/files\/([\w-]{1,100})(?:\.[a-z\d]{1,8})?\?e=([a-z\d]{1,12})&s=([\w-]{43})$/.exec(path) ?? [];
      if (id === '') return undefined;
      const expected = signatureOf(action, id, expires);
      const given = Buffer.from(signature, 'base64url');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const expiresAt = Number.parseInt(expires, 36);
      return expiresAt > now ? { id, expiresAt } : undefined;
    },
  };
}
