/** An id in the form of a version 4 UUID. */
export function createUuid(random: () => number): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) => {
    const digit = Math.floor(random() * 16);
    return (place === 'x' ? digit : (digit & 0x3) | 0x8).toString(16);
  });
}

/** Lower-case letters and digits. */
export function createPlainId(length: number, random: () => number): string {
  let id = '';
  while (id.length < length) id += Math.floor(random() * 36).toString(36);
  return id;
}

/** An integer of 63 bits, beyond the exact range of a double. */
export function createWideInteger(random: () => number): bigint {
  const part = (bits: number): bigint => BigInt(Math.floor(random() * 2 ** bits));
  return (part(31) << 32n) | part(32);
}
