import { randomFillSync } from 'node:crypto';

const idBytes = 15;
/** Asking the system for random bytes costs more than the rest of a request's id: many at a time. */
const pool = Buffer.alloc(idBytes * 256);
let used = pool.length;

/** 120 random bits as 20 URL-safe characters, after a prefix that names the type: `generation_…`. */
export function randomId(prefix: string): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const start = used;
  used += idBytes;
  return `${prefix}_${pool.toString('base64url', start, used)}`;
}

/** Packs an id that describes itself. The result is opaque and URL-safe. */
export function packId(prefix: string, members: readonly string[]): string {
  return `${prefix}_${Buffer.from(JSON.stringify(members), 'utf8').toString('base64url')}`;
}

/** The members of a packed id, or undefined when it is not one of this prefix (also after tampering). */
export function unpackId(prefix: string, id: string): readonly string[] | undefined {
  if (!id.startsWith(`${prefix}_`)) return undefined;
  const text = id.slice(prefix.length + 1);
  if (!/^[\w-]+$/.test(text)) return undefined;
  try {
    const members: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(members) || !members.every((member) => typeof member === 'string')) return undefined;
    // Exactly one spelling per id: padding bits and odd encodings of the same members are refused.
    return packId(prefix, members) === id ? members : undefined;
  } catch {
    return undefined;
  }
}
