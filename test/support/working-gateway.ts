import { finishedSong, musicTask } from './fake-music.ts';
import { sendEvents, startFakeGateway } from './fake-gateway.ts';
import { words } from './scripted-gateway.ts';

export type WorkKind = 'chat' | 'song' | 'image';

/** A request that arrived, with the credential of the server that sent it. */
interface Received {
  readonly kind: WorkKind;
  readonly isRead: boolean;
  readonly authorization: string;
}

/** A gateway whose chats, songs and queued images do not end by themselves. */
export interface WorkingGateway {
  readonly url: string;
  /** How many creates of this kind have arrived. */
  creates(kind: WorkKind): number;
  /** How often a server with this key has read tasks of this kind. */
  reads(kind: WorkKind, apiKey: string): number;
  /** Ends the songs and images. */
  finish(): void;
}

/** The text of each chat so far. */
export const workingText = 'ab';

/** Closed when the test ends. */
export async function startWorkingGateway(): Promise<WorkingGateway> {
  const received: Received[] = [];
  let isFinished = false;
  const { url } = await startFakeGateway((request, response, text) => {
    const { authorization = '' } = request.headers;
    const receive = (kind: WorkKind, isRead: boolean): void =>
      void received.push({ kind, isRead, authorization });
    const reply = (body: object): void =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (request.url === '/v1/chat/completions') {
      receive('chat', false);
      sendEvents(response, words('a', 'b'), { end: false });
    } else if (request.url === '/music/submit/music') {
      receive('song', false);
      reply({ code: 'success', message: '', data: `song-${received.length}` });
    } else if (request.url === '/music/fetch') {
      receive('song', true);
      const { ids } = JSON.parse(text) as { readonly ids: readonly string[] };
      reply({ code: 'success', data: ids.map((id) => (isFinished ? finishedSong(id) : musicTask(id))) });
    } else if (request.method === 'POST') {
      receive('image', false);
      reply({ request_id: `image-${received.length}`, status: 'IN_QUEUE' });
    } else {
      receive('image', true);
      reply(isFinished ? { images: [{ url: 'http://127.0.0.1/1.png' }] } : { status: 'IN_PROGRESS' });
    }
  });
  return {
    url,
    creates: (kind) => received.filter((each) => each.kind === kind && !each.isRead).length,
    reads: (kind, apiKey) =>
      received.filter(
        (each) => each.kind === kind && each.isRead && each.authorization === `Bearer ${apiKey}`,
      ).length,
    finish: () => void (isFinished = true),
  };
}
