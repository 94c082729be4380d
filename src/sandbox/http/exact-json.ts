// `JSON.rawJSON` and the reviver's third argument are in Node 22, but not yet in TypeScript's library.
interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
}
const exact = JSON as unknown as ExactJson;

/**
 * Like `JSON.parse`, but an integer that a double cannot hold becomes a bigint, so that a 64-bit seed or
 * quota can be echoed and compared digit by digit.
 */
export function parseExactJson(text: string): unknown {
  // The reviver visits every value: only a text that may hold such a number pays for it.
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return exact.parse(text, (_key, value, { source }) => {
    const isLossy = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
    return isLossy && source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
  });
}

/** Like `JSON.stringify`, with every bigint as an exact number. */
export function stringifyExactJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? exact.rawJSON(member.toString()) : member,
  );
}
