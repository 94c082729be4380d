import { isIP } from 'node:net';

export interface Network {
  readonly address: string;
  /** Length in bits. */
  readonly prefix: number;
}

/** An IP address, or a network in CIDR notation. Undefined for any other text. */
export function readNetwork(text: string): Network | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (bits === 0 || !isPrefix || rest.length > 0) return undefined;
  return { address, prefix: prefix === undefined ? bits : Number(prefix) };
}
