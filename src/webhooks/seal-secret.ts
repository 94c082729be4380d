import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts the secrets of owners' webhooks. A copy of their table alone does not have them.
 * @param serverKey the key of the hashes
 */
export function createSecretSeals(serverKey: Uint8Array) {
  const key = new Uint8Array(hkdfSync('sha256', serverKey, '', 'gengraph webhook secrets', 32));
  return {
    /** @param webhookId the sealed secret opens for this webhook only */
    seal(secret: string, webhookId: string): string {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(webhookId));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    },
    /** @throws if the text was changed, or sealed with another key or for another webhook */
    open(sealed: string, webhookId: string): string {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(webhookId))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      const text = decipher.update(bytes.subarray(ivBytes + tagBytes));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}
