/** What Web Storage has. It must answer at once. */
export interface KeyStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

const prefix = 'gengraph:';

/**
 * A storage that never throws. Memory holds what the other one refuses because it is full, forbidden or absent.
 * @param own `sessionStorage` by default: one per tab, kept by a reload
 */
export function createStorage(own?: KeyStorage): KeyStorage {
  const memory = new Map<string, string>();
  const attempt = <Result>(use: () => Result): Result | undefined => {
    try {
      return use();
    } catch {
      return undefined;
    }
  };
  // Absent outside browsers, where its use throws. Some browsers forbid even to read the global.
  const find = (): KeyStorage => own ?? globalThis.sessionStorage;
  return {
    getItem: (name) => memory.get(name) ?? attempt(() => find().getItem(prefix + name)) ?? null,
    setItem(name, value) {
      memory.set(name, value);
      // Another tab may change what the storage has taken.
      attempt(() => {
        find().setItem(prefix + name, value);
        memory.delete(name);
      });
    },
    removeItem(name) {
      memory.delete(name);
      attempt(() => find().removeItem(prefix + name));
    },
  };
}

/**
 * A name for a request without one: the same input has the same name. Two inputs with one name are a refused conflict. The factor
 * is larger than the range of printable ASCII, so that similar texts differ.
 */
export function nameOf(operation: string, input: unknown): string {
  const text = JSON.stringify(input);
  let hash = 0;
  for (let index = 0; index < text.length; index += 1)
    hash = (Math.imul(hash, 97) + text.charCodeAt(index)) | 0;
  return `${operation}:${text.length}:${hash}`;
}

/**
 * Keys need to differ, not to be secret: a key of another user names nothing. `crypto.randomUUID` exists only on pages of HTTPS, and
 * React Native has no `crypto`.
 */
export function createKey(): string {
  return `${Math.random()}-${Math.random()}`;
}
