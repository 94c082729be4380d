import type { Cut, Piece } from '../clients/cutting-proxy.ts';
import type { Transport } from '../world.ts';

/** Where a piece is cut: the bytes that the client still receives. */
export const places = {
  before: () => 0,
  'in the header of': () => 1,
  'in the middle of': ({ length }: Piece) => Math.floor(length / 2),
  'before the last byte of': ({ length }: Piece) => length - 1,
  'right after': ({ length }: Piece) => length,
} as const;

type Message = 'the head of the reply' | 'the acknowledgement' | 'the snapshot' | 'a delta' | 'the end';

const isMessage: Readonly<Record<Message, (piece: Piece) => boolean>> = {
  'the head of the reply': ({ kind }) => kind === 'upgrade' || kind === 'head',
  'the acknowledgement': ({ text }) => text.includes('"connection_ack"'),
  'the snapshot': ({ text }) => text.includes('"ChatSnapshot"'),
  'a delta': ({ text }) => text.includes('"ChatDelta"'),
  'the end': ({ text }) => /"Chat(Completed|Canceled|Failed)"/.test(text),
};

/** The classes of messages that a client receives, over a transport. */
export function messagesOver(transport: Transport, { isRunning = true } = {}): readonly Message[] {
  const first: readonly Message[] =
    transport === 'WebSocket'
      ? ['the head of the reply', 'the acknowledgement', 'the snapshot']
      : ['the head of the reply', 'the snapshot'];
  return isRunning ? [...first, 'a delta', 'the end'] : [...first, 'the end'];
}

/** Cuts the first message of this class, once. */
export function cutOnce(message: Message, keep: (piece: Piece) => number): Cut {
  let isCut = false;
  return (piece) => {
    if (isCut || !isMessage[message](piece)) return undefined;
    isCut = true;
    return keep(piece);
  };
}
