/** A name that nobody else has. Pages without HTTPS have no `crypto.randomUUID`. */
export function createId(): string {
  return [...crypto.getRandomValues(new Uint32Array(3))].map((number) => number.toString(36)).join('');
}
