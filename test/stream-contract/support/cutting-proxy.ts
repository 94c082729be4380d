import { onTestFinished } from 'vitest';
import type { Address } from '../../../src/contract/clients/address.ts';
import { type Cut, type CuttingProxy, startProxy } from '../../../src/contract/clients/cutting-proxy.ts';

/** Starts a proxy that resets connections at exact bytes of the server's messages. Closed when the test ends. */
export async function startCuttingProxy(target: Address, cut?: Cut): Promise<CuttingProxy> {
  const proxy = await startProxy(target, cut);
  onTestFinished(() => proxy.close());
  return proxy;
}
