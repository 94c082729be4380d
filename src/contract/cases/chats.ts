import { endingOf, type Held, isEnd, type StreamEvent } from '../clients/events.ts';
import type { Result } from '../clients/http.ts';
import type { Watch } from '../clients/watch.ts';
import type { Chat, Transport, WatchOptions, World } from '../world.ts';
import { check, checkEqual } from './case.ts';
import { NotApplicable } from '../not-applicable.ts';

type FollowOptions = Omit<Partial<WatchOptions>, 'variables'> & {
  readonly after?: number | null | undefined;
  readonly minIntervalMs?: number | undefined;
};

export function follow(
  world: World,
  { id }: Pick<Chat, 'id'>,
  transport: Transport,
  { after, minIntervalMs, ...options }: FollowOptions = {},
): Watch {
  // JSON leaves out what is undefined.
  return world.watch('chatEvents', { transport, ...options, variables: { id, after, minIntervalMs } });
}

/** Sends the create of a chat again, as a subscription. */
export function attach(
  world: World,
  { key, input }: Pick<Chat, 'key' | 'input'>,
  transport: Transport,
  options: Omit<Partial<WatchOptions>, 'variables'> = {},
): Watch {
  return world.watch('streamChat', { transport, ...options, variables: { input, idempotencyKey: key } });
}

/** What an attempt returns. Undefined if this installation does not offer it. */
export function ifOffered<Value>(attempt: () => Value): Value | undefined {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof NotApplicable) return undefined;
    throw error;
  }
}

/** The text of each choice. */
export function textsOf({ choices }: Held): readonly string[] {
  return choices.map(({ content }) => content ?? '');
}

export function recordedTexts(result: Result | null): readonly string[] {
  return (result?.output?.choices ?? []).map(({ message }) => message.content ?? '');
}

export async function readRecord(world: World, { id }: Pick<Chat, 'id'>): Promise<Result> {
  const record = await world.run('generation', { by: { id } });
  check(record?.id === id, `the generation is not found: ${record?.code ?? 'null'}`);
  return record;
}

/** Waits for the end of a chat, without a subscription. */
export async function untilTerminal(world: World, { id }: Pick<Chat, 'id'>): Promise<Result> {
  for (let attempts = 0; attempts < 20; attempts += 1) {
    const result = await world.run('awaitGeneration', { by: { id } });
    if (result?.isTerminal) return result;
    if (result?.code !== undefined) throw new Error(`awaitGeneration: ${result.code}`);
  }
  throw new Error('the chat does not end');
}

/** Waits for the end, which must be one and have the text of the record. */
export async function checkWhole(
  world: World,
  chat: Pick<Chat, 'id'>,
  watcher: Watch,
): Promise<readonly StreamEvent[]> {
  const events = await watcher.ended;
  checkOneEnd(events);
  const record = await readRecord(world, chat);
  checkEqual(textsOf(watcher.held), recordedTexts(record), 'the text of the client');
  check(record.isTerminal === true, 'the record is not terminal when the client has the end');
  return events;
}

/** A client that came back may get the end again. */
export function checkOneEnd(events: readonly StreamEvent[], { isHealing = false } = {}): void {
  const [end] = events.slice(-1);
  check(end !== undefined && isEnd(end), `the subscription completed after ${end?.__typename ?? 'no event'}`);
  if (!isHealing) checkEqual(events.filter(isEnd).length, 1, 'the number of ends');
}

export function namesOf(events: readonly StreamEvent[]): readonly string[] {
  return events.map(({ __typename }) => __typename);
}

export function checkNotFailed(events: readonly StreamEvent[]): void {
  const ending = endingOf(events);
  check(ending === 'Completed' || ending === 'Canceled', `the chat ended as ${ending}`);
}

/** @throws NotApplicable if the chat ended before this many parts */
export async function untilPart(watcher: Watch, sequence: number): Promise<void> {
  try {
    await watcher.untilSequence(sequence);
  } catch (error) {
    const events = await watcher.ended;
    if ((events.at(-1)?.sequence ?? 0) < sequence)
      throw new NotApplicable(`the chat ended before part ${sequence}`);
    throw error;
  }
}
