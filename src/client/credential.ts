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
export interface CredentialSource {
  /** The credential of a new connection. @throws what the function throws, when all attempts fail */
  read(): Promise<CredentialValue>;
  /** Plans the renewal of the credential that a connection has accepted. */
  plan(): void;
  /** Of the plan. */
  stop(): void;
  dispose(): void;
}

export function createCredentialSource({
  credential,
  wait,
  attempts,
  onRenewed,
}: CredentialSourceOptions): CredentialSource {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: CredentialValue;
  /** That of the next connection, from the first call for it on. */
  let next: Promise<CredentialValue> | undefined;
  let isDisposed = false;
  /** Undefined if it was disposed. */
  const fetchValue = async (): Promise<CredentialValue> => {
    for (let attempt = 0; !isDisposed; attempt += 1) {
      if (typeof credential !== 'function') return credential;
      try {
        return await credential();
      } catch (error) {
        if (isDisposed || attempt >= attempts) throw error;
        await wait(attempt);
      }
    }
    return undefined;
  };
  /** A connection that opens during a renewal waits for it: another call at the same time could use up a refresh token twice. */
  const fetchNext = (): Promise<CredentialValue> => (next ??= fetchValue());
  const renew = async (): Promise<void> => {
    const planned = timer;
    // A failure is not an error yet: the server closes the connection when the token expires, and the next one reads again.
    const value = await fetchNext().catch(() => current);
    if (planned === timer && value !== current) onRenewed();
    // Meanwhile the connection was closed or replaced, or the token is still the same.
    else next = undefined;
  };
  const stopRenewal = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    async read() {
      stopRenewal();
      try {
        return (current = await fetchNext());
      } finally {
        next = undefined;
      }
    },
    plan() {
      if (typeof credential !== 'function') return;
      const remainingMs = readExpiry(current) - Date.now();
      if (remainingMs <= 0 || remainingMs > longestTimerMs) return;
      const leadMs = Math.min(longestLeadMs, remainingMs / 5);
      timer = setTimeout(() => void renew(), remainingMs - leadMs);
    },
    stop: stopRenewal,
    dispose() {
      isDisposed = true;
      stopRenewal();
    },
  };
}

/** When a JSON Web Token expires, in milliseconds since 1970. 0 for other credentials. */
function readExpiry(credential: CredentialValue): number {
  try {
    const payload = credential?.split('.')[1] ?? '';
    // Not verified here: the server does that.
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const expiry = (claims as { readonly exp?: unknown } | null)?.exp;
    return typeof expiry === 'number' ? expiry * 1000 : 0;
  } catch {
    return 0;
  }
}
