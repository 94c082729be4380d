import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { pingAll } from '../../src/server/pings.ts';
import { createUnsent, type Outlet, takenOf, type UnsentAccount } from '../../src/server/unsent.ts';
import { createManualClock } from '../support/manual-clock.ts';

const megabyte = 1024 * 1024;
const patienceMs = 24_000;

/** A client, as far as a socket and its system show one. */
function createClient() {
  const handle = { bytesWritten: 0, writeQueueSize: 0 };
  const socket = Object.assign(new EventEmitter(), { destroyed: false, _handle: handle });
  return {
    // Of a socket only this is looked at.
    socket: socket as unknown as Socket,
    get unsentBytes() {
      return handle.writeQueueSize;
    },
    /** The server sends; the system takes what it has room for. */
    send(bytes: number, taken = 0): void {
      handle.bytesWritten += bytes;
      handle.writeQueueSize += bytes - taken;
    },
    take: (bytes: number): void => void (handle.writeQueueSize -= bytes),
  };
}

function start({ maxBytes = 1000 * megabyte } = {}) {
  const clock = createManualClock();
  const letGo: string[] = [];
  const log = {
    info() {},
    debug() {},
    error() {},
    warn: ({ name }: { name?: string }) => letGo.push(name ?? ''),
  };
  const unsent = createUnsent({ maxBytes, patienceMs, clock, log });
  const join = (name: string, unsentMessages = 1) => {
    const client = createClient();
    const outlet: Outlet = {
      facts: { name },
      socket: client.socket,
      get unsentBytes() {
        return client.unsentBytes;
      },
      unsentMessages,
      destroy() {},
    };
    const account: UnsentAccount = unsent.open(outlet);
    return {
      ...client,
      send(bytes: number, taken?: number): void {
        client.send(bytes, taken);
        account.update();
      },
    };
  };
  return { clock, unsent, letGo, join };
}

describe('a client for which something waits', () => {
  test('is let go of once it has taken nothing for as long as it may', () => {
    const { clock, unsent, letGo, join } = start();
    join('stuck').send(megabyte);
    clock.advance(patienceMs - 1000);
    expect(letGo).toEqual([]);
    clock.advance(2000);
    expect(letGo).toEqual(['stuck']);
    expect(unsent.bytes).toBe(0);
  });

  test('has time for what the system has taken for it, which moves in steps', () => {
    const { clock, letGo, join } = start();
    const slow = join('slow');
    // At 25 KB a second: the system makes room a megabyte at a time.
    slow.send(10 * megabyte, 4 * megabyte);
    for (let step = 0; step < 5; step += 1) {
      clock.advance(40_000);
      expect(letGo).toEqual([]);
      slow.take(megabyte);
    }
    // The same client, gone.
    clock.advance(6 * patienceMs);
    expect(letGo).toEqual(['slow']);
  });

  test('is the first to go beyond the limit when it has read nothing, and one that reads the last', () => {
    const { clock, letGo, join } = start({ maxBytes: 25 * megabyte });
    const reader = join('reader');
    reader.send(10 * megabyte);
    clock.advance(5000);
    reader.take(megabyte);
    clock.advance(1000);
    join('stuck').send(10 * megabyte);
    clock.advance(2000);
    const newest = join('newest');
    newest.send(10 * megabyte);
    expect(letGo).toEqual(['stuck']);
    newest.send(10 * megabyte);
    expect(letGo).toEqual(['stuck', 'reader']);
  });

  test('alone may have one message of any length, but not many', () => {
    const { letGo, join } = start({ maxBytes: 5 * megabyte });
    join('one message').send(10 * megabyte);
    expect(letGo).toEqual([]);
    const { letGo: others, join: joinAnother } = start({ maxBytes: 5 * megabyte });
    joinAnother('many messages', 7).send(10 * megabyte);
    expect(others).toEqual(['many messages']);
  });
});

describe('a socket that is asked whether it is there', () => {
  const intervalMs = 12_000;

  function ask() {
    const clock = createManualClock();
    const client = createClient();
    const server = new EventEmitter();
    const seen = { pings: 0, isTerminated: false };
    const socket = Object.assign(new EventEmitter(), {
      ping: () => void (seen.pings += 1),
      terminate: () => void (seen.isTerminated = true),
    });
    const writer = {
      isBehind: false,
      get takenBytes() {
        return takenOf(client.socket);
      },
    };
    pingAll(server, { clock, intervalMs, writerOf: () => writer });
    server.emit('connection', socket);
    return { clock, client, socket, writer, seen };
  }

  test('is gone when it has not answered by its next turn', () => {
    const { clock, socket, seen } = ask();
    clock.advance(intervalMs);
    expect(seen).toEqual({ pings: 1, isTerminated: false });
    socket.emit('pong');
    clock.advance(intervalMs);
    expect(seen).toEqual({ pings: 2, isTerminated: false });
    clock.advance(intervalMs);
    expect(seen).toEqual({ pings: 2, isTerminated: true });
  });

  test('has longer where much went out before the ping, and no longer once that has come', () => {
    const { clock, client, socket, seen } = ask();
    client.send(4 * megabyte, 4 * megabyte);
    clock.advance(5 * intervalMs);
    expect(seen).toEqual({ pings: 1, isTerminated: false });
    socket.emit('pong');
    clock.advance(2 * intervalMs);
    expect(seen).toEqual({ pings: 2, isTerminated: true });
  });

  test('is not gone for a ping that still waits here, nor at once when it does no longer', () => {
    const { clock, client, writer, seen } = ask();
    client.send(10 * megabyte, megabyte);
    writer.isBehind = true;
    clock.advance(20 * intervalMs);
    client.take(9 * megabyte);
    writer.isBehind = false;
    clock.advance(5 * intervalMs);
    expect(seen).toEqual({ pings: 1, isTerminated: false });
    clock.advance(5 * intervalMs);
    expect(seen).toEqual({ pings: 1, isTerminated: true });
  });
});
