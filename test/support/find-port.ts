import { type AddressInfo, createServer } from 'node:net';

export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // TCP's is of this form.
  await new Promise((resolve) => server.close(resolve));
  return port;
}
