import { expect, test } from 'vitest';
import { parseIpList } from '../../../src/sandbox/access/ip-list.ts';

test.each<[string, string, boolean]>([
  ['10.0.0.1', '10.0.0.1', true],
  ['10.0.0.1', '10.0.0.2', false],
  ['10.0.0.0/8', '10.200.3.4', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['0.0.0.0/0', '203.0.113.9', true],
  ['192.168.1.7/32', '192.168.1.7', true],
  ['10.0.0.1', '::ffff:10.0.0.1', true],
  ['::ffff:10.0.0.1', '10.0.0.1', true],
  ['::1', '::1', true],
  ['2001:db8::/32', '2001:db8:1::5', true],
  ['2001:DB8:0:0::1', '2001:db8::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['::/0', '10.0.0.1', true],
  ['172.16.0.0/12\n\n  ::1  \r\n', '::1', true],
  ['10.0.0.1', '', false],
])('%j admits %s: %s', (lines, address, expected) => {
  const parsed = parseIpList(lines);
  expect('list' in parsed && parsed.list?.includes(address)).toBe(expected);
});

test.each(['', '\n \n'])('%j admits every address', (lines) => {
  expect(parseIpList(lines)).toEqual({ list: undefined });
});

test.each([
  'localhost',
  '10.0.0',
  '10.0.0.1/33',
  '10.0.0.1/',
  '::1/129',
  '10.0.0.1/8/8',
  '10.0.0.1-10.0.0.9',
])('%j is reported as wrong', (line) => {
  expect(parseIpList(`127.0.0.1\n${line}`)).toEqual({ wrongLine: line });
});
