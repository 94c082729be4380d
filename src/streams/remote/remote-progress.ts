import { z } from 'zod';
import type { Exchange } from '../../bus/exchange.ts';
import type { Clock } from '../../lib/clock.ts';
import { stringifyJson } from '../../lib/json.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { Streams } from '../streams.ts';
import { answerMs, listenTo } from './messages.ts';

/** Reads the progress of streams of other instances once, without counting as a watcher. */
export interface RemoteProgress {
  /** Undefined if no instance that runs the stream answers in time. */
  find(id: string): Promise<Progress | undefined>;
  close(): void;
}

export interface RemoteProgressOptions {
  readonly streams: Pick<Streams, 'findAny'>;
  readonly exchange: Exchange;
  readonly clock: Clock;
}

const request = z.object({ id: z.string(), token: z.number() });
const progress = z.object({ sequence: z.number(), state: z.unknown() });
const answer = progress.extend({ token: z.number() });
type Progress = z.output<typeof progress>;

/** One is in flight for each stream: an answer has the whole state. */
interface Question {
  readonly answer: Promise<Progress | undefined>;
  /** Shared by all that come while it is in flight. */
  next: Promise<Progress | undefined> | undefined;
}

const topics = { request: 'stream-progress-request', answer: 'stream-progress' };

export function createRemoteProgress({ streams, exchange, clock }: RemoteProgressOptions): RemoteProgress {
  const asked = new Map<number, (found: Progress) => void>();
  const questions = new Map<string, Question>();
  let lastToken = 0;
  const stops = [
    listenTo(exchange, topics.request, request, ({ id, token }, reader) => {
      const stream = streams.findAny(id);
      if (!stream) return;
      const { sequence, state } = stream;
      exchange.send(topics.answer, stringifyJson({ token, sequence, state }), reader);
    }),
    listenTo(exchange, topics.answer, answer, ({ token, ...found }) => asked.get(token)?.(found)),
  ];
  const ask = async (id: string): Promise<Progress | undefined> => {
    lastToken += 1;
    const token = lastToken;
    const { promise, resolve } = Promise.withResolvers<Progress>();
    asked.set(token, resolve);
    exchange.send(topics.request, JSON.stringify({ id, token }));
    try {
      return await withTimeout(promise, { clock, timeoutMs: answerMs });
    } finally {
      asked.delete(token);
    }
  };
  const start = (id: string): Promise<Progress | undefined> => {
    const question: Question = { answer: ask(id), next: undefined };
    questions.set(id, question);
    void question.answer.then(() => {
      if (!question.next) questions.delete(id);
    });
    return question.answer;
  };
  const share = (id: string): Promise<Progress | undefined> => {
    const question = questions.get(id);
    if (!question) return start(id);
    // The answer on its way may be older than what the client has seen.
    return (question.next ??= question.answer.then(() => start(id)));
  };
  return {
    async find(id) {
      if (exchange.connectedAt === undefined) return undefined;
      return withTimeout(share(id), { clock, timeoutMs: answerMs });
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}
