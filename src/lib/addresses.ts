/** What every http(s) URL matches, for validators without a parser of URLs. */
export const webAddressPattern = String.raw`^[hH][tT][tT][pP][sS]?://\S+$`;

/** Whether a value of an untrusted body is an absolute http(s) URL. */
export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
}

/** The value if it is an absolute http(s) URL, else undefined. */
export function asWebAddress(value: unknown): string | undefined {
  return isWebAddress(value) ? value : undefined;
}

/** The origin of an address. Undefined for anything that is not an absolute http(s) URL. */
export function originOf(address: string | undefined): string | undefined {
  return isWebAddress(address) ? new URL(address).origin : undefined;
}

/** A file embedded in a reply. */
export interface InlineFile {
  readonly base64: string;
  readonly contentType: string;
}

/** Decodes a base64 data URI (RFC 2397). Returns undefined for any other value. */
export function readDataUri(value: unknown): InlineFile | undefined {
  if (typeof value !== 'string') return undefined;
  const head = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,;]{0,100}){0,5};base64,/i.exec(value.slice(0, 1000));
  const [whole = '', contentType] = head ?? [];
  if (contentType === undefined || whole.length === value.length) return undefined;
  return { base64: value.slice(whole.length), contentType };
}

/** An address without its query and fragment, which may hold a key. For the log. */
export function withoutQuery(address: string): string {
  return address.replace(/([?#]).*$/s, '$1…');
}
