import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { countFlushedBytes } from '../../src/server/sending/flushed-bytes.ts';
import { startHeartbeat } from '../../src/server/websocket/heartbeat.ts';
import { type BufferedConnection, createSendBuffers } from '../../src/server/sending/send-buffers.ts';
import { createManualClock } from '../support/manual-clock.ts';

const megabyte = 1024 * 1024;
const stallTimeoutMs = 24_000;

/** A fake client: the counters that a socket's handle exposes. */
function createClient() {
  const handle = { bytesWritten: 0, writeQueueSize: 0 };
  const socket = Object.assign(new EventEmitter(), { destroyed: false, _handle: handle });
  return {
    // Only these members of a socket are used.
    socket: socket as unknown as Socket,
    get bufferedBytes() {
      return handle.writeQueueSize;
    },
    /** The server sends, and the kernel accepts `flushed` bytes immediately. */
    send(bytes: number, flushed = 0): void {
      handle.bytesWritten += bytes;
      handle.writeQueueSize += bytes - flushed;
    },
    flush: (bytes: number): void => void (handle.writeQueueSize -= bytes),
  };
}

function start({ maxBytes = 1000 * megabyte, maxGroupBytes = 1000 * megabyte } = {}) {
  const clock = createManualClock();
  const disconnected: string[] = [];
  const log = {
    info() {},
    debug() {},
    error() {},
    warn: ({ name }: { name?: string }) => disconnected.push(name ?? ''),
  };
  const sendBuffers = createSendBuffers({ maxBytes, maxGroupBytes, stallTimeoutMs, clock, log });
  const connect = (name: string, bufferedMessages = 1, group = 'anybody') => {
    const client = createClient();
    const connection: BufferedConnection = {
      facts: { name },
      group,
      socket: client.socket,
      get bufferedBytes() {
        return client.bufferedBytes;
      },
      bufferedMessages,
      destroy() {},
    };
    const buffer = sendBuffers.open(connection);
    return {
      ...client,
      send(bytes: number, flushed?: number): void {
        client.send(bytes, flushed);
        buffer.update();
      },
    };
  };
  return { clock, sendBuffers, disconnected, connect };
}

describe('a backlogged client', () => {
  test('is disconnected after the stall timeout without progress', () => {
    const { clock, sendBuffers, disconnected, connect } = start();
    connect('stuck').send(megabyte);
    clock.advance(stallTimeoutMs - 1000);
    expect(disconnected).toEqual([]);
    clock.advance(2000);
    expect(disconnected).toEqual(['stuck']);
    expect(sendBuffers.bytes).toBe(0);
  });

  test('is not disconnected by a clock step', () => {
    const { clock, disconnected, connect } = start();
    connect('slow').send(megabyte);
    clock.step(10 * stallTimeoutMs);
    clock.advance(stallTimeoutMs - 1000);
    expect(disconnected).toEqual([]);
    clock.step(-20 * stallTimeoutMs);
    clock.advance(2000);
    expect(disconnected).toEqual(['slow']);
  });

  test('gets extra time to receive bytes that were flushed to the kernel', () => {
    const { clock, disconnected, connect } = start();
    const slow = connect('slow');
    // The client reads 25 KB/s. The kernel accepts more data only in steps of a megabyte.
    slow.send(10 * megabyte, 4 * megabyte);
    for (let step = 0; step < 5; step += 1) {
      clock.advance(40_000);
      expect(disconnected).toEqual([]);
      slow.flush(megabyte);
    }
    // The client stops reading.
    clock.advance(6 * stallTimeoutMs);
    expect(disconnected).toEqual(['slow']);
  });

  test('is evicted first above the limit if it has read nothing, and last if it reads', () => {
    const { clock, disconnected, connect } = start({ maxBytes: 25 * megabyte });
    const reader = connect('reader');
    reader.send(10 * megabyte);
    clock.advance(5000);
    reader.flush(megabyte);
    clock.advance(1000);
    connect('stuck').send(10 * megabyte);
    clock.advance(2000);
    const newest = connect('newest');
    newest.send(10 * megabyte);
    expect(disconnected).toEqual(['stuck']);
    newest.send(10 * megabyte);
    expect(disconnected).toEqual(['stuck', 'reader']);
  });

  test('is evicted before clients of other owners if its owner is above the limit of an owner', () => {
    const { clock, disconnected, connect } = start({
      maxBytes: 25 * megabyte,
      maxGroupBytes: 15 * megabyte,
    });
    connect('stuck of another owner', 1, 'b').send(8 * megabyte);
    clock.advance(2000);
    connect('older', 1, 'a').send(10 * megabyte);
    const newer = connect('newer', 1, 'a');
    newer.send(4 * megabyte);
    expect(disconnected).toEqual([]);
    newer.send(4 * megabyte);
    expect(disconnected).toEqual(['older']);
    // A single message may exceed the limit of its owner, but not at the cost of other owners.
    newer.send(12 * megabyte);
    expect(disconnected).toEqual(['older', 'newer']);
  });

  test('may buffer one message above the limit if it is the only one, but not several messages', () => {
    const { disconnected, connect } = start({ maxBytes: 5 * megabyte });
    connect('one message').send(10 * megabyte);
    expect(disconnected).toEqual([]);
    const { disconnected: others, connect: connectAnother } = start({ maxBytes: 5 * megabyte });
    connectAnother('many messages', 7).send(10 * megabyte);
    expect(others).toEqual(['many messages']);
  });
});

describe('the heartbeat', () => {
  const intervalMs = 12_000;

  function startPinging() {
    const clock = createManualClock();
    const client = createClient();
    const server = new EventEmitter();
    const seen = { pings: 0, isTerminated: false };
    const socket = Object.assign(new EventEmitter(), {
      ping: () => void (seen.pings += 1),
      terminate: () => void (seen.isTerminated = true),
    });
    const writer = {
      isBacklogged: false,
      get flushedBytes() {
        return countFlushedBytes(client.socket);
      },
    };
    startHeartbeat(server, { clock, intervalMs, writerOf: () => writer });
    server.emit('connection', socket);
    return { clock, client, socket, writer, seen };
  }

  test('terminates a socket that has not answered by the next ping', () => {
    const { clock, socket, seen } = startPinging();
    clock.advance(intervalMs);
    expect(seen).toEqual({ pings: 1, isTerminated: false });
    socket.emit('pong');
    clock.advance(intervalMs);
    expect(seen).toEqual({ pings: 2, isTerminated: false });
    clock.advance(intervalMs);
    expect(seen).toEqual({ pings: 2, isTerminated: true });
  });

  test('is not affected by a clock step', () => {
    const { clock, client, seen } = startPinging();
    client.send(4 * megabyte, 4 * megabyte);
    clock.advance(intervalMs);
    clock.step(100 * intervalMs);
    clock.advance(4 * intervalMs);
    expect(seen).toEqual({ pings: 1, isTerminated: false });
    clock.step(-100 * intervalMs);
    clock.advance(20 * intervalMs);
    expect(seen).toEqual({ pings: 1, isTerminated: true });
  });

  test('waits longer while data sent before the ping may be in flight, and no longer once it has arrived', () => {
    const { clock, client, socket, seen } = startPinging();
    client.send(4 * megabyte, 4 * megabyte);
    clock.advance(5 * intervalMs);
    expect(seen).toEqual({ pings: 1, isTerminated: false });
    socket.emit('pong');
    clock.advance(2 * intervalMs);
    expect(seen).toEqual({ pings: 2, isTerminated: true });
  });

  test('does not count time that the ping spends in the send buffer', () => {
    const { clock, client, writer, seen } = startPinging();
    client.send(10 * megabyte, megabyte);
    writer.isBacklogged = true;
    clock.advance(20 * intervalMs);
    client.flush(9 * megabyte);
    writer.isBacklogged = false;
    clock.advance(5 * intervalMs);
    expect(seen).toEqual({ pings: 1, isTerminated: false });
    clock.advance(5 * intervalMs);
    expect(seen).toEqual({ pings: 1, isTerminated: true });
  });
});
