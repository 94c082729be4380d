import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env['WEBHOOK_SECRET'] ?? '');
/** Ids of events that were handled. A real receiver keeps them in its database. */
const handled = new Set<string>();

const server = createServer(async (request, response) => {
  const body = await text(request);
  const id = String(request.headers['webhook-id']);
  try {
    webhook.verify(body, {
      'webhook-id': id,
      'webhook-timestamp': String(request.headers['webhook-timestamp']),
      'webhook-signature': String(request.headers['webhook-signature']),
    });
  } catch {
    response.writeHead(400).end();
    return;
  }
  if (!handled.has(id)) {
    const { type, data } = JSON.parse(body);
    console.log(type, data.kind, data.generationId);
    handled.add(id);
  }
  response.writeHead(204).end();
});
server.listen(Number(process.env['PORT'] ?? 5000), '127.0.0.1', () =>
  console.log('listening', server.address()),
);
