/** What Web Storage has. It must answer at once. */
export interface KeyStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

const prefix = 'gengraph:';
const generationPrefix = 'of:';

/** A storage that never throws. Memory holds what the other one refuses because it is full, forbidden or absent. */
export function createStorage(storage: KeyStorage | undefined): KeyStorage {
  const memory = new Map<string, string>();
  const attempt = <Result>(use: (storage: KeyStorage) => Result): Result | undefined => {
    try {
      return storage && use(storage);
    } catch {
      return undefined;
    }
  };
  return {
    getItem: (name) => memory.get(name) ?? attempt((items) => items.getItem(prefix + name)) ?? null,
    setItem(name, value) {
      memory.set(name, value);
      attempt((items) => items.setItem(prefix + name, value));
    },
    removeItem(name) {
      memory.delete(name);
      attempt((items) => items.removeItem(prefix + name));
    },
  };
}

/** One idempotency key per request, made before the request is sent. */
export class RequestKeys {
  readonly #storage: KeyStorage;

  constructor(storage: KeyStorage) {
    this.#storage = storage;
  }

  /** The key of this request. The same name returns the same key until it is released. */
  keyOf(name: string): string {
    const key = this.#storage.getItem(name) ?? createKey();
    this.#storage.setItem(name, key);
    return key;
  }

  /** The generation of a request. The server forgets keys after a time, which must not make another one. */
  generationOf(name: string): string | undefined {
    return this.#storage.getItem(generationPrefix + name) ?? undefined;
  }

  remember(name: string, generationId: string): void {
    this.#storage.setItem(generationPrefix + name, generationId);
  }

  /** The next request with this name is another one. Does nothing if its key is already another one. */
  release(name: string, key: string): void {
    if (this.#storage.getItem(name) === key) this.#storage.removeItem(name);
  }
}

/** `sessionStorage`: one per tab, kept by a reload. Undefined where there is none, or where the browser forbids it. */
export function findSessionStorage(): KeyStorage | undefined {
  try {
    // Absent outside browsers.
    return (globalThis as { readonly sessionStorage?: KeyStorage }).sessionStorage;
  } catch {
    return undefined;
  }
}

/** A name for a request without one: the same input has the same name. Two inputs with one name are a refused conflict. */
export function nameOf(operation: string, input: unknown): string {
  const text = JSON.stringify(input);
  let hash = 0;
  for (let index = 0; index < text.length; index += 1)
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return `${operation}:${text.length}:${hash}`;
}

/** `crypto.randomUUID` exists only on pages of HTTPS, and React Native has no `crypto`. */
function createKey(): string {
  const numbers = new Uint32Array(4);
  if (typeof crypto === 'undefined')
    numbers.forEach((_, index) => (numbers[index] = Math.random() * 2 ** 32));
  else crypto.getRandomValues(numbers);
  return numbers.join('-');
}
