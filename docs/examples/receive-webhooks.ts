import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env['WEBHOOK_SECRET'] ?? '');
/** Ids of events that were handled. A real receiver keeps them in its database. */
const handled = new Set<string>();

/** Returns the status of the answer. */
async function receive(request: IncomingMessage): Promise<number> {
  const body = await text(request);
  const id = String(request.headers['webhook-id']);
  try {
    webhook.verify(body, {
      'webhook-id': id,
      'webhook-timestamp': String(request.headers['webhook-timestamp']),
      'webhook-signature': String(request.headers['webhook-signature']),
    });
  } catch {
    return 400;
  }
  if (!handled.has(id)) {
    const { type, data } = JSON.parse(body);
    process.stdout.write(`${type} ${data.kind} ${data.generationId}\n`);
    handled.add(id);
  }
  return 204;
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  );
});
server.listen(Number(process.env['PORT'] ?? 5000), '127.0.0.1', () =>
  process.stdout.write(`listening: ${JSON.stringify(server.address())}\n`),
);
