import { expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { explainStart } from '../src/explain-start.ts';
import { serveFigures } from '../src/serve-figures.ts';

test.each([
  ['getaddrinfo', 'EAI_AGAIN', 'a name, without an answer from the name server'],
  ['getaddrinfo', 'ENOTFOUND', 'an unknown name'],
  ['listen', 'EADDRNOTAVAIL', 'an address of another machine'],
  ['listen', 'EAFNOSUPPORT', 'an IPv6 address on a machine without IPv6'],
  ['listen', 'EINVAL', 'a link-local address without its interface'],
])('a server that cannot listen names HOST (%s %s, %s)', (syscall, code) => {
  const error = Object.assign(new Error(`${syscall} ${code}: reason`), { syscall, code });
  expect(explainStart(error)).toBe(
    `Cannot start: HOST is not an address of this machine (${syscall} ${code}: reason).`,
  );
});

// The first of several processes listens only for the metrics.
test.each([
  [{ HOST: '192.0.2.1' }, /^Cannot start: HOST is not an address of this machine \(.*EADDRNOTAVAIL/],
  [{ METRICS_HOST: '192.0.2.1' }, /^Cannot start: no metrics \(.*EADDRNOTAVAIL.* or METRICS_HOST\.$/],
])('metrics that cannot listen name the setting of their address: %o', async (set, message) => {
  const config = loadConfig({ METRICS_PORT: '0', ...set });
  const reason = await serveFigures(config, async () => '').catch(explainStart);
  expect(reason).toMatch(message);
});
