import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { serve } from './serve.ts';

export const secret = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;

export interface EventData {
  readonly generationId: string;
  readonly owner?: string;
  readonly kind: string;
  readonly status: string;
  readonly corrects: string | null;
  readonly [name: string]: unknown;
}

export interface ReceivedEvent {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: EventData };
}

type Answer = (event: ReceivedEvent, response: ServerResponse) => void;

export interface WebhookReceiver {
  readonly url: string;
  /** Host and port, for WEBHOOK_HOSTS. */
  readonly host: string;
  readonly received: readonly ReceivedEvent[];
  /** @default status 204 */
  answer: Answer;
  /** Resolves when this many requests have arrived. */
  waitFor(count: number): Promise<readonly ReceivedEvent[]>;
}

export const answerStatus =
  (status: number): Answer =>
  (_event, response) =>
    void response.writeHead(status).end();

/** A receiver of webhooks on loopback. Closed when the test ends. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedEvent[] = [];
  const waiting = new Set<() => void>();
  const receiver = { answer: answerStatus(204) };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const event = { id: headers['webhook-id'] ?? '', headers, body, event: JSON.parse(body) };
    received.push(event);
    receiver.answer(event, response);
    for (const wake of waiting) wake();
  };
  // A request that its client cuts has no answer.
  const server = createServer((request, response) => void receive(request, response).catch(() => {}));
  const { port } = await serve(server);
  const host = `127.0.0.1:${port}`;
  return Object.assign(receiver, {
    url: `http://${host}/hook`,
    host,
    received,
    async waitFor(count: number) {
      while (received.length < count)
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
      return received.slice(0, count);
    },
  });
}

/** The settings of webhooks, with the receivers listed. */
export function webhookEnv(
  receivers: readonly Pick<WebhookReceiver, 'url' | 'host'>[],
  members: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, string>> {
  return {
    WEBHOOKS: JSON.stringify(
      receivers.map(({ url }, index) => ({ name: `receiver-${index}`, url, secret, ...members })),
    ),
    WEBHOOK_HOSTS: receivers.map(({ host }) => host).join(','),
  };
}

/** Verifies an event as receivers do. @throws if it is not genuine */
export function verify({ body, headers }: ReceivedEvent, key = secret): void {
  new Webhook(key).verify(body, headers);
}
