/** With or without `Bearer`. Null or undefined: none. */
export type CredentialValue = string | null | undefined;

/**
 * A credential, or a function that returns the current one. The function is called for each connection, and again before a
 * token expires. If it throws, it is called again after a back-off.
 */
export type Credential = CredentialValue | (() => CredentialValue | Promise<CredentialValue>);

/** A token is renewed when a fifth of its remaining life is left, but at most this long before it expires. */
const longestLeadMs = 30_000;
/** Longer timers overflow. The server closes the connection of a token that expires. */
const longestTimerMs = 2 ** 31 - 1;

export interface CredentialSourceOptions {
  readonly credential: Credential;
  /** Waits before the function is called again. */
  readonly wait: (attempt: number) => Promise<void>;
  readonly attempts: number;
  /** A connection with the next credential should replace the current one. */
  readonly onRenewed: () => void;
}

/** Supplies each connection with a credential, and fetches the next one before a token expires. */
export class CredentialSource {
  readonly #options: CredentialSourceOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #current: CredentialValue;
  #next: { readonly value: CredentialValue } | undefined;
  #isDisposed = false;

  constructor(options: CredentialSourceOptions) {
    this.#options = options;
  }

  /** The credential of a new connection. @throws what the function throws, when all attempts fail */
  async read(): Promise<CredentialValue> {
    this.stopRenewal();
    const next = this.#next ?? { value: await this.#fetch() };
    this.#next = undefined;
    this.#current = next.value;
    return next.value;
  }

  /** Plans the renewal of the credential that a connection has accepted. */
  planRenewal(): void {
    const { credential } = this.#options;
    if (typeof credential !== 'function') return;
    const remainingMs = (readExpiry(this.#current) ?? 0) - Date.now();
    if (remainingMs <= 0 || remainingMs > longestTimerMs) return;
    const leadMs = Math.min(longestLeadMs, remainingMs / 5);
    this.#timer = setTimeout(() => void this.#renew(), remainingMs - leadMs);
  }

  stopRenewal(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.stopRenewal();
  }

  async #renew(): Promise<void> {
    const timer = this.#timer;
    // A failure is not an error yet: the server closes the connection when the token expires, and the next one reads again.
    const value = await this.#fetch().catch(() => this.#current);
    // Meanwhile the connection was closed or replaced, or the token is still the same.
    if (timer !== this.#timer || value === this.#current) return;
    this.#next = { value };
    this.#options.onRenewed();
  }

  async #fetch(): Promise<CredentialValue> {
    const { credential, wait, attempts } = this.#options;
    if (typeof credential !== 'function') return credential;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await credential();
      } catch (error) {
        if (this.#isDisposed || attempt >= attempts) throw error;
        await wait(attempt);
      }
    }
  }
}

/** When a JSON Web Token expires, in milliseconds since 1970. Undefined for other credentials. */
function readExpiry(credential: CredentialValue): number | undefined {
  const [, payload] = credential?.split('.') ?? [];
  if (payload === undefined) return undefined;
  try {
    // Not verified here: the server does that.
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const expiry = (claims as { readonly exp?: unknown } | null)?.exp;
    return typeof expiry === 'number' ? expiry * 1000 : undefined;
  } catch {
    return undefined;
  }
}
