/** A rule of the contract, as docs/contract.md has it. */
export interface Rule {
  readonly number: string;
  readonly statement: string;
  /** Why this program cannot test it, and what does. */
  readonly elsewhere?: string | undefined;
}

const statements: Readonly<Record<string, string>> = {
  '1.1': 'A subscription without `after` begins with a snapshot of everything so far.',
  '1.2': 'A client that stays connected gets one snapshot.',
  '2.1': 'Each delta begins after the last event: no gap, and no sequence number twice.',
  '2.2': '`soFar` of every event is what the events before add up to.',
  '2.3': 'All clients have the same text at the same sequence, over every transport.',
  '2.4': '`minIntervalMs` coalesces deltas, and loses and reorders nothing.',
  '2.5': 'A `minIntervalMs` below 0 or above 10000 is refused.',
  '2.6': 'A client that stops reading for a while gets everything in order.',
  '2.7': 'A reply in any encoding and in pieces of any size has its whole text.',
  '3.1': 'A subscription has exactly one end, and it is the last event.',
  '3.2': 'When a client has the end, the record has it, with the same text.',
  '3.3': 'Clients that come later get the same end and the same text.',
  '3.4': '`awaitGeneration` answers when the chat has ended.',
  '3.5': 'Each way in which the gateway ends a reply has its own ending, and keeps what had arrived.',
  '4.1': '`after` a known sequence continues behind it, without a snapshot.',
  '4.2': '`after` an unknown sequence, or null, begins with a snapshot.',
  '4.3': 'In an ended chat, `after` gets what is missing, then the end.',
  '4.4': '`after` that is no Int is refused.',
  '5.1': 'A stock client of graphql-ws whose connection breaks at any byte of any message misses nothing.',
  '5.2': 'A client over HTTP that subscribes again after a break misses nothing.',
  '5.3': 'A client over HTTP that subscribes again with `after` gets only what it misses.',
  '5.4': 'A `streamChat` with a key that is sent again after a break follows its chat, and creates none.',
  '5.5': 'A client without a connection gets afterwards what was sent meanwhile.',
  '5.6': 'A stock client survives many failed connections in a row.',
  '5.7': 'A `streamChat` without a key that repeats its operation id over a WebSocket follows its chat.',
  '6.1': 'The same key with the same input is the same chat, in every state of it.',
  '6.2': 'Creates with one key at the same moment are one chat.',
  '6.3': 'A key with other input is a conflict, and creates nothing.',
  '6.4': 'A key of another operation is a conflict, and creates nothing.',
  '6.5': 'A key has at most 200 characters.',
  '6.6': 'The key of a create finds its generation.',
  '6.7': 'The records have one generation for each chat, and no other.',
  '6.8': 'A refused create releases its key. A create whose reply was lost is never sent again.',
  '7.1': 'A canceled chat ends for every client as canceled, with at least what they have seen.',
  '7.2': 'Canceling by id, by key and again returns the same generation.',
  '7.3': 'Canceling an ended chat changes nothing.',
  '7.4': 'Canceling what does not exist is `NOT_FOUND`.',
  '8.1': 'Other callers find, follow and cancel nothing.',
  '8.2': 'Without a credential, nothing is created, found, followed or canceled.',
  '8.3': 'An id that does not exist is `NOT_FOUND`.',
  '8.4': 'Another caller has its own chat under the same key.',
  '9.1': 'A `streamChat` without a key stops when nobody has watched it for `CHAT_DETACH_SECONDS`.',
  '9.2': 'A killed server ends its running chats once, as `INTERRUPTED`, and sends nothing again.',
  '9.3': 'A pause of a server ends and loses nothing.',
  '9.4': 'A step of the system time ends and loses nothing.',
  '9.5': 'Without records (full disk, database gone), running chats go on and creates are refused.',
  '9.6': 'One of several servers that is cut off from the database loses and doubles nothing.',
  '9.7': 'A callback subscription survives the death of the server that posts its events.',
  '10.1': 'Image streams obey the same rules.',
};

const needsGateway = 'needs a gateway that the test controls: run by `npm run test:contract`';
const needsProcess = 'needs control of the processes: run by `npm run test:contract`';

const elsewhere: Readonly<Record<string, string>> = {
  '2.7': needsGateway,
  '3.5': needsGateway,
  '6.8': needsGateway,
  '8.4': needsGateway,
  '9.1': needsGateway,
  '9.2': needsProcess,
  '9.3': needsProcess,
  '9.4': needsProcess,
  '9.5': needsProcess,
  '9.6': needsProcess,
  '9.7': 'needs control of the processes: run by `npm run test:callbacks`',
  '10.1': needsGateway,
};

export const rules: readonly Rule[] = Object.entries(statements).map(([number, statement]) => ({
  number,
  statement,
  elsewhere: elsewhere[number],
}));
