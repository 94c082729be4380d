import { expect, test } from 'vitest';
import { createMediaOrigins } from '../../../../src/server/pages/graphiql/media-origins.ts';

const local = { gatewayUrl: 'http://127.0.0.1:4010', trustedOrigins: [], forwardsHost: false };

test('are those of the gateway and its trusted origins without TLS', () => {
  expect(createMediaOrigins(local)('a.example')).toEqual(['http://127.0.0.1:4010']);
  const trustedOrigins = ['http://files.example', 'https://cdn.example'];
  expect(createMediaOrigins({ ...local, trustedOrigins })(undefined)).toEqual([
    'http://127.0.0.1:4010',
    'http://files.example',
  ]);
  expect(createMediaOrigins({ ...local, gatewayUrl: 'https://gateway.example/v1' })('a.example')).toEqual([]);
});

test('are at the host of the page if the sandbox serves other machines', () => {
  const originsOf = createMediaOrigins({ ...local, gatewayUrl: 'http://0.0.0.0:4010', forwardsHost: true });
  expect(originsOf('192.168.1.5:4000')).toContain('http://192.168.1.5:4010');
  for (const odd of [undefined, 'a b', ':']) expect(originsOf(odd)).toEqual(['http://0.0.0.0:4010']);
});
