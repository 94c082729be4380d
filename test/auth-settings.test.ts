import { describe, expect, test } from 'vitest';
import { acceptedAlgorithms } from '../src/auth-settings.ts';
import { loadConfig } from '../src/config.ts';
import { createServerKeys } from '../src/server-keys.ts';
import { problemWith } from './support/problem-with.ts';

const secret = 'a-secret-of-at-least-32-bytes-in-length';
const gateway = { GATEWAY_URL: 'https://gateway.example', GATEWAY_API_KEY: 'sk-the-only-key' };
const bySecret = { ...gateway, AUTH: 'jwt', AUTH_JWT_SECRET: secret, AUTH_ISSUER: 'https://auth.example' };
const byKeySet = {
  ...gateway,
  AUTH: 'jwt',
  AUTH_JWKS_URL: 'https://auth.example/keys',
  AUTH_ISSUER: 'https://auth.example',
};

type Variables = Readonly<Record<string, string>>;

function without(variables: Variables, name: string): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([key]) => key !== name));
}

describe('settings for callers who sign in', () => {
  test.each<readonly [string, Variables]>([
    ['a shared secret', bySecret],
    ['a key set', byKeySet],
    ['both kinds of credentials', { ...byKeySet, AUTH: 'both' }],
    ['the key of the sandbox', without(without(bySecret, 'GATEWAY_URL'), 'GATEWAY_API_KEY')],
    ['a system token', { ...bySecret, GATEWAY_SYSTEM_TOKEN: 'system-token', GATEWAY_SYSTEM_USER: '1' }],
    ['a key for everyone, on purpose', { ...gateway, GATEWAY_API_KEY_FOR_ALL: 'true' }],
    ['no key at all', { AUTH: 'passthrough' }],
    ['longer hashes', { ...bySecret, AUTH_ALGORITHMS: 'HS512', AUTH_JWT_SECRET: secret.repeat(2) }],
  ])('are accepted: %s', (_what, variables) => {
    expect(() => loadConfig(variables)).not.toThrow();
  });

  test.each<readonly [string, Variables, RegExp]>([
    ['a key without sign-in', gateway, /^Invalid setting: GATEWAY_API_KEY=…: .*set AUTH=jwt/],
    ['the same, explicitly', { ...gateway, AUTH: 'passthrough' }, /GATEWAY_API_KEY=…: .*set AUTH=jwt/],
    [
      'a system token without sign-in',
      { GATEWAY_SYSTEM_TOKEN: 'system-token', GATEWAY_SYSTEM_USER: '1' },
      /GATEWAY_SYSTEM_TOKEN=…: .*set AUTH=jwt/,
    ],
    ['sign-in without a key', without(bySecret, 'GATEWAY_API_KEY'), /AUTH=jwt: needs GATEWAY_API_KEY/],
    ['no issuer', without(bySecret, 'AUTH_ISSUER'), /AUTH=jwt: needs AUTH_ISSUER/],
    [
      'no way to verify',
      without(bySecret, 'AUTH_JWT_SECRET'),
      /needs either AUTH_JWKS_URL or AUTH_JWT_SECRET/,
    ],
    ['two ways to verify', { ...byKeySet, AUTH_JWT_SECRET: secret }, /needs either/],
    ['a short secret', { ...bySecret, AUTH_JWT_SECRET: 'too-short-secret' }, /AUTH_JWT_SECRET=…: .*32 bytes/],
    ['a secret too short for its algorithm', { ...bySecret, AUTH_ALGORITHMS: 'HS256,HS512' }, /64 bytes/],
    ['a public algorithm with a secret', { ...bySecret, AUTH_ALGORITHMS: 'RS256' }, /allows only HS256/],
    [
      'a secret algorithm with a key set',
      { ...byKeySet, AUTH_ALGORITHMS: 'RS256,HS256' },
      /key set is public/,
    ],
    [
      'settings without effect',
      { AUTH_ISSUER: 'a', AUTH_OWNER_CLAIM: 'b' },
      /AUTH_ISSUER=a: has no effect.*AUTH_OWNER_CLAIM=b/,
    ],
    ['a system token alone', { ...bySecret, GATEWAY_SYSTEM_TOKEN: 'system-token' }, /GATEWAY_SYSTEM_USER/],
    ['a system user alone', { ...bySecret, GATEWAY_SYSTEM_USER: '1' }, /GATEWAY_SYSTEM_TOKEN/],
    [
      'a key for everyone beside sign-in',
      { ...bySecret, GATEWAY_API_KEY_FOR_ALL: 'true' },
      /contradicts AUTH/,
    ],
    ['everyone without a key', { GATEWAY_API_KEY_FOR_ALL: 'true' }, /needs GATEWAY_API_KEY/],
  ])('are refused: %s', (_what, variables, message) => {
    expect(problemWith(variables)).toMatch(message);
  });

  test('never print a secret', () => {
    for (const variables of [gateway, { ...bySecret, AUTH_JWT_SECRET: 'too-short-secret' }])
      expect(problemWith(variables)).not.toMatch(/sk-the-only-key|too-short-secret/);
    // In place of the path of its file.
    const file = { GATEWAY_API_KEY_FILE: 'sk-the-only-key' };
    expect(problemWith(file)).toMatch(/^Invalid setting: GATEWAY_API_KEY_FILE=…: a server that holds a key/);
    const config = loadConfig({ ...without(bySecret, 'GATEWAY_API_KEY'), ...file });
    expect(() => createServerKeys(config)).toThrow(
      /^Invalid setting: GATEWAY_API_KEY_FILE=…: expected the path of a file with the credential: ENOENT$/,
    );
  });

  test('accept no algorithm of the other kind by default, and never none', () => {
    expect(acceptedAlgorithms(loadConfig(bySecret))).toEqual(['HS256']);
    expect(acceptedAlgorithms(loadConfig(byKeySet)).join(' ')).not.toMatch(/HS|none/);
  });
});
