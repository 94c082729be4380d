import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startBuilt } from '../support/built-program.ts';
import { postJson, sendRequest } from '../support/http.ts';
import { type Program, startProgram, waitForStart } from '../support/programs.ts';
import { strayLine, strayRejection } from '../support/stray-rejection.ts';
import { openRawSocket, type RawMessage, type RawSocket } from '../support/raw-socket.ts';

const typeName = { query: '{ __typename }' };
const query = `subscription ($model: String!, $text: String!) {
  streamChat(input: {model: $model, messages: [{role: USER, content: {text: $text}}]}) {
    __typename sequence
    ... on ChatDelta { choices { content } }
    ... on ChatCompleted { soFar { choices { message { content } } } }
    ... on ChatFailed { error { code } }
  }
}`;

interface ChatEvent {
  readonly __typename: string;
  readonly sequence: number;
  readonly choices?: readonly { readonly content: string | null }[];
  readonly soFar?: { readonly choices: readonly { readonly message: { readonly content: string } }[] };
  readonly error?: { readonly code: string };
}

function toEvent({ payload }: RawMessage): ChatEvent {
  return (payload as { data: { streamChat: ChatEvent } }).data.streamChat; // The selection of the query above.
}

/** Watches a new chat. Resolves at its first event: a server that is behind sends its text in few. */
async function watchChat(url: string, { model = 'gpt-4o', text }: { model?: string; text: string }) {
  const socket = await openRawSocket(`${url}/graphql`);
  await socket.init();
  const id = randomUUID();
  socket.subscribe(id, { query, variables: { model, text } });
  await socket.inbox.when((all) => all.some((message) => message.id === id));
  return { socket, id };
}

async function eventsOf(socket: RawSocket, id: string): Promise<readonly ChatEvent[]> {
  const messages = await socket.waitForEnd(id);
  expect(messages.at(-1)?.type).toBe('complete');
  return messages.slice(0, -1).map(toEvent);
}

/** Sends the signal. Resolves when the program has printed that it drains. */
async function signal(program: Program, name: 'SIGTERM' | 'SIGINT'): Promise<void> {
  program.kill(name);
  await program.waitForOutput(new RegExp(`${name}: draining 1 running streams`));
}

describe('SIGTERM', () => {
  test('to npm start finishes running work, refuses new work, closes with 1012 and frees the port', async () => {
    const program = startProgram(['npm', 'start'], {
      env: { SANDBOX_TOKENS_PER_SECOND: '40', LOG_LEVEL: 'warn' },
    });
    const url = await waitForStart(program);
    const { socket, id } = await watchChat(url, { text: 'Count to 40.' });
    const idle = await openRawSocket(`${url}/graphql`);
    await idle.init();
    await signal(program, 'SIGTERM');
    expect(socket.inbox.all.some(({ type }) => type === 'complete')).toBe(false);

    await expect.poll(() => postJson(`${url}/graphql`, typeName).catch(String)).toContain('ECONNREFUSED');
    expect(await idle.closed).toEqual({ code: 1012, reason: 'Service restart' });

    const events = await eventsOf(socket, id);
    const last = events.at(-1);
    expect(last?.__typename).toBe('ChatCompleted');
    const text = events.map(({ choices }) => choices?.[0]?.content ?? '').join('');
    expect(text).toContain('40');
    expect(last?.soFar?.choices[0]?.message.content).toBe(text);
    expect(await socket.closed).toEqual({ code: 1012, reason: 'Service restart' });
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(program.stderr).not.toContain('open handles');
    await expect(sendRequest(`${url}/health/live`)).rejects.toThrow('ECONNREFUSED');
  });

  test('waits no longer than SHUTDOWN_SECONDS, and watchers receive INTERRUPTED', async () => {
    const program = startBuilt([], {
      env: { SHUTDOWN_SECONDS: '0.2', LOG_LEVEL: 'warn' },
    });
    const url = await waitForStart(program);
    const { socket, id } = await watchChat(url, { model: 'fault-stalled-stream', text: 'Hello' });
    await signal(program, 'SIGTERM');
    const events = await eventsOf(socket, id);
    expect(events.at(-1)).toMatchObject({ __typename: 'ChatFailed', error: { code: 'INTERRUPTED' } });
    expect(await socket.closed).toMatchObject({ code: 1012 });
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(program.stderr).not.toContain('open handles');
  });
});

test('a server whose output nobody reads any longer drains', async () => {
  const program = startBuilt([], { env: { SANDBOX_TOKENS_PER_SECOND: '40' } });
  const url = await waitForStart(program);
  const { socket, id } = await watchChat(url, { text: 'Count to 20.' });
  program.closeOutput();
  program.kill('SIGTERM');
  expect((await eventsOf(socket, id)).at(-1)?.__typename).toBe('ChatCompleted');
  expect(await program.exited).toEqual({ code: 0, signal: null });
});

/** The last line of the log. */
function lastLineOf({ output, stderr }: Program): unknown {
  const lines = output.split('\n').filter((line) => line !== '' && !stderr.includes(line));
  return JSON.parse(lines.at(-1) ?? '{}');
}

describe('the program ends at once, and its last log line names the signal', () => {
  const line = { level: 40, msg: 'stopped at once', streams: 1 };

  test('after a second signal', async () => {
    const program = startBuilt([], { env: { LOG_LEVEL: 'warn' } });
    const url = await waitForStart(program);
    await watchChat(url, { model: 'fault-stalled-stream', text: 'Hello' });
    await signal(program, 'SIGINT');
    program.kill('SIGTERM');
    expect(await program.exited).toEqual({ code: null, signal: 'SIGTERM' });
    expect(lastLineOf(program)).toMatchObject({ ...line, signal: 'SIGTERM' });
  });

  test('after SIGHUP', async () => {
    const program = startBuilt([], { env: { LOG_LEVEL: 'warn' } });
    const url = await waitForStart(program);
    await watchChat(url, { model: 'fault-stalled-stream', text: 'Hello' });
    program.kill('SIGHUP');
    expect(await program.exited).toEqual({ code: null, signal: 'SIGHUP' });
    expect(lastLineOf(program)).toMatchObject({ ...line, signal: 'SIGHUP' });
  });
});

test('a rejected promise that no code handles is logged, and ends no stream', async () => {
  const program = startBuilt([], { env: { SANDBOX_TOKENS_PER_SECOND: '40', ...strayRejection } });
  const { socket, id } = await watchChat(await waitForStart(program), { text: 'Count to 40.' });
  program.kill('SIGWINCH');
  await program.waitForOutput(strayLine);
  expect((await eventsOf(socket, id)).at(-1)?.__typename).toBe('ChatCompleted');
  program.kill('SIGTERM');
  expect(await program.exited).toEqual({ code: 0, signal: null });
});
