import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInbox, type Inbox } from '../../support/inbox.ts';
import { beforeDeadline } from '../../../src/contract/clients/deadline.ts';

/** One request that a case answers by hand. */
export interface Exchange {
  readonly body: Readonly<Record<string, unknown>>;
  /** Sends the response head of an event stream. */
  accept(): void;
  /** Sends events in one write. Sends text as is, other values as JSON. */
  send(...events: readonly unknown[]): void;
  /** Writes raw bytes. Resolves when the operating system has taken them. */
  write(piece: string | Buffer): Promise<void>;
  end(piece?: string): void;
  reply(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void;
  cut(): void;
  /** Resolves when either side has ended the exchange. */
  readonly closed: Promise<void>;
}

/** A gateway that accepts every credential. Requests are told apart by the tag in their prompt. */
export interface GatewayDouble {
  readonly url: string;
  /** Resolves with the request at this index of those with this tag. */
  exchange(tag: string, index?: number): Promise<Exchange>;
  count(tag: string): number;
  close(): Promise<void>;
}

export async function startGatewayDouble(): Promise<GatewayDouble> {
  const inboxes = new Map<string, Inbox<Exchange>>();
  const inboxOf = (tag: string): Inbox<Exchange> => {
    const inbox = inboxes.get(tag) ?? createInbox<Exchange>();
    inboxes.set(tag, inbox);
    return inbox;
  };
  const server = createServer((request, response) => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    response.once('close', resolve);
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const accept = (): void => {
        if (response.headersSent) return;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
      };
      inboxOf(/tag-\d+/.exec(text)?.[0] ?? 'none').push({
        body: JSON.parse(text),
        closed,
        accept,
        send(...events) {
          accept();
          response.write(events.map(encodeEvent).join(''));
        },
        write(piece) {
          accept();
          return new Promise((done) => response.write(piece, () => done()));
        },
        end(piece = '') {
          accept();
          response.end(piece);
        },
        reply(status, body, headers = { 'content-type': 'application/json' }) {
          response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
        },
        cut: () => void response.socket?.destroy(),
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // TCP's is of this form.
    exchange: (tag, index = 0) =>
      beforeDeadline(inboxOf(tag).at(index), () => `request ${index} with ${tag} has not arrived`),
    count: (tag) => inboxOf(tag).all.length,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function encodeEvent(event: unknown): string {
  return `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
}

/** A chat completion chunk of one choice. */
export function chunk(delta: object, finishReason: string | null = null, index = 0): object {
  return { id: 'c1', model: 'm', choices: [{ index, delta, finish_reason: finishReason }] };
}

export function words(...contents: readonly string[]): readonly object[] {
  return contents.map((content) => chunk({ content }));
}

/** A finished image of an image stream. */
export function picture(index: number): object {
  return { type: 'image_generation.partial_succeeded', image_index: index, url: `http://x/${index}.jpg` };
}

export function failedPicture(index: number): object {
  return {
    type: 'image_generation.partial_failed',
    image_index: index,
    error: { message: 'no', code: 'nope' },
  };
}

export const picturesDone = {
  type: 'image_generation.completed',
  usage: { output_tokens: 9, total_tokens: 9 },
};
