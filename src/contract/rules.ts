/** A rule of the contract, as docs/contract.md has it. */
export interface Rule {
  readonly number: string;
  readonly statement: string;
  /** Why this program cannot test it, and what does. */
  readonly elsewhere?: string;
}

const needsGateway = 'needs a gateway that the test controls: run by `npm run test:contract`';
const needsProcess = 'needs control of the processes: run by `npm run test:contract`';

export const rules: readonly Rule[] = [
  {
    number: '1.1',
    statement: 'A subscription without `after` begins with a snapshot of everything so far.',
  },
  { number: '1.2', statement: 'A client that stays connected gets one snapshot.' },
  {
    number: '2.1',
    statement: 'Each delta begins after the last event: no gap, and no sequence number twice.',
  },
  { number: '2.2', statement: '`soFar` of every event is what the events before add up to.' },
  { number: '2.3', statement: 'All clients have the same text at the same sequence, over every transport.' },
  { number: '2.4', statement: '`minIntervalMs` coalesces deltas, and loses and reorders nothing.' },
  { number: '2.5', statement: 'A `minIntervalMs` below 0 or above 10000 is refused.' },
  { number: '2.6', statement: 'A client that stops reading for a while gets everything in order.' },
  {
    number: '2.7',
    statement: 'A reply in any encoding and in pieces of any size has its whole text.',
    elsewhere: needsGateway,
  },
  { number: '3.1', statement: 'A subscription has exactly one end, and it is the last event.' },
  { number: '3.2', statement: 'When a client has the end, the record has it, with the same text.' },
  { number: '3.3', statement: 'Clients that come later get the same end and the same text.' },
  { number: '3.4', statement: '`awaitGeneration` answers when the chat has ended.' },
  {
    number: '3.5',
    statement: 'Each way in which the gateway ends a reply has its own ending, and keeps what had arrived.',
    elsewhere: needsGateway,
  },
  { number: '4.1', statement: '`after` a known sequence continues behind it, without a snapshot.' },
  { number: '4.2', statement: '`after` an unknown sequence, or null, begins with a snapshot.' },
  {
    number: '4.3',
    statement: 'In an ended chat, `after` gets what is missing, then the end.',
  },
  { number: '4.4', statement: '`after` that is no Int is refused.' },
  {
    number: '5.1',
    statement:
      'A stock client of graphql-ws whose connection breaks at any byte of any message misses nothing.',
  },
  {
    number: '5.2',
    statement: 'A client over HTTP that subscribes again after a break misses nothing.',
  },
  {
    number: '5.3',
    statement: 'A client over HTTP that subscribes again with `after` gets only what it misses.',
  },
  {
    number: '5.4',
    statement:
      'A `streamChat` with a key that is sent again after a break follows its chat, and creates none.',
  },
  { number: '5.5', statement: 'A client without a connection gets afterwards what was sent meanwhile.' },
  { number: '5.6', statement: 'A stock client survives many failed connections in a row.' },
  {
    number: '5.7',
    statement:
      'A `streamChat` without a key that repeats its operation id over a WebSocket follows its chat.',
  },
  { number: '6.1', statement: 'The same key with the same input is the same chat, in every state of it.' },
  { number: '6.2', statement: 'Creates with one key at the same moment are one chat.' },
  { number: '6.3', statement: 'A key with other input is a conflict, and creates nothing.' },
  { number: '6.4', statement: 'A key of another operation is a conflict, and creates nothing.' },
  { number: '6.5', statement: 'A key has at most 200 characters.' },
  { number: '6.6', statement: 'The key of a create finds its generation.' },
  { number: '6.7', statement: 'The records have one generation for each chat, and no other.' },
  {
    number: '6.8',
    statement: 'A refused create releases its key. A create whose reply was lost is never sent again.',
    elsewhere: needsGateway,
  },
  {
    number: '7.1',
    statement: 'A canceled chat ends for every client as canceled, with at least what they have seen.',
  },
  { number: '7.2', statement: 'Canceling by id, by key and again returns the same generation.' },
  { number: '7.3', statement: 'Canceling an ended chat changes nothing.' },
  { number: '7.4', statement: 'Canceling what does not exist is `NOT_FOUND`.' },
  { number: '8.1', statement: 'Other callers find, follow and cancel nothing.' },
  { number: '8.2', statement: 'Without a credential, nothing is created, found, followed or canceled.' },
  { number: '8.3', statement: 'An id that does not exist is `NOT_FOUND`.' },
  {
    number: '8.4',
    statement: 'Another caller has its own chat under the same key.',
    elsewhere: needsGateway,
  },
  {
    number: '9.1',
    statement: 'A `streamChat` without a key stops when nobody has watched it for `CHAT_DETACH_SECONDS`.',
    elsewhere: needsGateway,
  },
  {
    number: '9.2',
    statement: 'A killed server ends its running chats once, as `INTERRUPTED`, and sends nothing again.',
    elsewhere: needsProcess,
  },
  { number: '9.3', statement: 'A pause of a server ends and loses nothing.', elsewhere: needsProcess },
  { number: '9.4', statement: 'A step of the system time ends and loses nothing.', elsewhere: needsProcess },
  {
    number: '9.5',
    statement: 'Without records (full disk, database gone), running chats go on and creates are refused.',
    elsewhere: needsProcess,
  },
  {
    number: '9.6',
    statement: 'One of several servers that is cut off from the database loses and doubles nothing.',
    elsewhere: needsProcess,
  },
  {
    number: '9.7',
    statement: 'A callback subscription survives the death of the server that posts its events.',
    elsewhere: 'needs control of the processes: run by `npm run test:callbacks`',
  },
  {
    number: '10.1',
    statement: 'Image streams obey the same rules.',
    elsewhere: needsGateway,
  },
];
