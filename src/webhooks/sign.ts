import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** The key of a secret of Standard Webhooks (https://www.standardwebhooks.com). Undefined if it is none. */
export function decodeSecret(secret: string): Uint8Array | undefined {
  const text = secret.slice(prefix.length);
  if (!secret.startsWith(prefix) || !/^[A-Za-z\d+/]+={0,2}$/.test(text)) return undefined;
  const key = Buffer.from(text, 'base64');
  return key.length >= 24 && key.length <= 64 ? key : undefined;
}

export function createSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

export interface SignedMessage {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly body: string;
  /** One signature for each: a receiver accepts any of them, so that secrets can be rotated. */
  readonly keys: readonly Uint8Array[];
}

/** The headers of Standard Webhooks. */
export function signatureHeaders({
  id,
  sentAt,
  body,
  keys,
}: SignedMessage): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(sentAt / 1000));
  const sign = (key: Uint8Array): string =>
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map(sign).join(' '),
  };
}
