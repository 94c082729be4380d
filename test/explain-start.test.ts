import { expect, test } from 'vitest';
import { explainStart } from '../src/explain-start.ts';

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
