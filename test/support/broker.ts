import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Gives the workers of a run something that the process of the run makes at the first question. */
export interface Broker {
  readonly url: string;
  close(): void;
}

/** Starts a broker that answers with the text of `find`, or with the reason why it failed. */
export async function startBroker(find: () => Promise<string>): Promise<Broker> {
  const server = createServer((_request, response) => {
    find().then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(503).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo; // TCP's is of this form.
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** @throws Error with the reason */
export async function askBroker(url: string): Promise<string> {
  const response = await fetch(url);
  const text = await response.text();
  if (response.ok) return text;
  throw new Error(text);
}
