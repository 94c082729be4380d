/** Whether a value is an absolute http(s) address: nothing else of a foreign body may come out as one. */
export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
}

/** The value as it is when it is an absolute http(s) address, else undefined. */
export function asWebAddress(value: unknown): string | undefined {
  return isWebAddress(value) ? value : undefined;
}

/** A file that came inline. */
export interface InlineFile {
  readonly base64: string;
  readonly contentType: string;
}

/** The file that a base64 data URI holds (RFC 2397); undefined for any other value. */
export function readDataUri(value: unknown): InlineFile | undefined {
  if (typeof value !== 'string') return undefined;
  const head = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,;]{0,100}){0,5};base64,/i.exec(value.slice(0, 1000));
  const [whole = '', contentType] = head ?? [];
  if (contentType === undefined || whole.length === value.length) return undefined;
  return { base64: value.slice(whole.length), contentType };
}
