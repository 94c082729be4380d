import { randomFillSync, randomUUID } from 'node:crypto';

/** A type prefix and 120 random bits as 20 URL-safe characters: `generation_…`. */
export function randomId(prefix: string): string {
  return `${prefix}_${Buffer.from(randomHex(), 'hex').toString('base64url')}`;
}

/** In the order of ASCII, so that texts sort like the numbers. */
const digits = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const timeDigits = 5;
const randomDigits = 15;

/**
 * A type prefix, the second of the time as 5 characters, and 90 random bits as 15: `generation_…`. Records of the same time are
 * neighbors in the indexes of ids. Random ids would change as many pages as there are new records.
 */
export function recordId(prefix: string, now: number): string {
  let time = '';
  for (let rest = Math.floor(now / 1000); time.length < timeDigits; rest = Math.floor(rest / 64))
    time = digits.charAt(rest % 64) + time;
  return `${prefix}_${time}${Buffer.from(randomHex().slice(0, 24), 'hex').toString('base64url').slice(0, randomDigits)}`;
}

const idBytes = 15;
const idsPerDraw = 256;

/** `randomId` for many ids of one prefix. Draws the bytes of many ids together, which is several times faster. */
export function createRandomIds(prefix: string): () => string {
  const drawn = Buffer.alloc(idBytes * idsPerDraw);
  let used = drawn.length;
  return () => {
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    used += idBytes;
    return `${prefix}_${drawn.toString('base64url', used - idBytes, used)}`;
  };
}

/** 120 random bits: a UUID without its version and variant. Node draws UUIDs in batches, ten times faster than single bytes. */
function randomHex(): string {
  const uuid = randomUUID();
  return uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(15, 18) + uuid.slice(20, 23) + uuid.slice(24);
}

/** Encodes the members in an opaque, URL-safe id. */
export function packId(prefix: string, members: readonly string[]): string {
  return `${prefix}_${Buffer.from(JSON.stringify(members), 'utf8').toString('base64url')}`;
}

/** Packed ids are shorter. One operation can repeat an id thousands of times, and each is decoded. */
export const maxPackedChars = 4000;

/** Decodes the members of a packed id. Returns undefined if the prefix differs or the id is malformed. */
export function unpackId(prefix: string, id: string): readonly string[] | undefined {
  if (id.length > maxPackedChars || !id.startsWith(`${prefix}_`)) return undefined;
  const text = id.slice(prefix.length + 1);
  if (!/^[\w-]+$/.test(text)) return undefined;
  try {
    const members: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(members) || !members.every((member) => typeof member === 'string')) return undefined;
    // Accept only the canonical encoding: one string per id.
    return packId(prefix, members) === id ? members : undefined;
  } catch {
    return undefined;
  }
}
