import { GraphQLError, OperationTypeNode } from 'graphql';
import { MessageType, type SubscribePayload } from 'graphql-ws';
import type { JsonText } from '../../lib/json-pieces.ts';
import type { LazyMap } from '../../lib/lazy-map.ts';
import type { Log } from '../../lib/log.ts';
import type { Permit } from '../admission/admission.ts';
import type { OperationArgs } from '../operation/execution.ts';
import { isRefused, type Operation } from '../operation/operation.ts';
import { isOpen, type SubscribedEvents } from '../operation/subscription.ts';
import { nextMessage, nextPrefix } from '../sending/next-message.ts';
import type { SocketWriter } from '../sending/socket-writer.ts';
import { shouldAwaitRecords } from './await-records.ts';
import type { SocketExpiry } from './socket-expiry.ts';

/** The WebSocket of operations. */
export interface OperationSocket {
  /** By id. An operation stays until its client completes it or its last message is sent. */
  readonly operations: LazyMap<string, SocketOperation>;
  readonly writer: SocketWriter;
  readonly expiry: SocketExpiry;
  readonly log: Log;
  readonly isDraining: boolean;
  /** An operation arrived that a draining server does not start. */
  move(): void;
  /** An operation found the records unavailable. Its client repeats it once the socket is closed. */
  awaitRecords(): void;
  /** The server cannot handle a message. */
  fail(error: unknown): void;
  /** The last message of an operation is written. */
  onEnd(): void;
}

/**
 * One operation of a WebSocket. While a subscription is open, nothing holds its message or its execution arguments. A class,
 * because closures take more memory.
 */
export class SocketOperation {
  readonly #id: string;
  readonly #socket: OperationSocket;
  /** While it waits for admission. */
  #waiting: Operation | undefined;
  #permit: Permit | undefined;
  #events: SubscribedEvents | undefined;
  #isAwaitingRecords = false;

  constructor(id: string, socket: OperationSocket) {
    this.#id = id;
    this.#socket = socket;
    socket.operations.set(id, this);
  }

  /** Whether its answer or its first event is on the way. */
  get isInFlight(): boolean {
    return !this.#events && !this.#isAwaitingRecords;
  }

  /** Whether it found the records unavailable. Nothing of it runs, and it gets no answer on this socket. */
  get isAwaitingRecords(): boolean {
    return this.#isAwaitingRecords;
  }

  /** Whether it watches a stream that this server runs. */
  get isOwnStream(): boolean {
    return this.#events?.isOwn === true;
  }

  /** `endAccounting`: of the bytes of the message, which no longer count when the operation starts. */
  start(operation: Operation, payload: SubscribePayload, endAccounting: () => void): void {
    this.#run(operation, payload, endAccounting).then(
      (events) => (events ? this.#follow(events) : this.#end()),
      (error: unknown) => {
        this.#socket.fail(error);
        this.#end();
      },
    );
  }

  /** The client completes it, or the socket is closed. */
  complete(): void {
    this.#socket.operations.delete(this.#id);
    this.#waiting?.cancelWait();
    void this.#events?.return?.();
  }

  /** Resolves to the events of a subscription, or when the last message of any other operation is written. */
  async #run(
    operation: Operation,
    payload: SubscribePayload,
    endAccounting: () => void,
  ): Promise<SubscribedEvents | undefined> {
    const socket = this.#socket;
    try {
      await operation.identify();
      if (!this.#isCurrent) return undefined;
      this.#waiting = operation;
      const isAdmitted = await operation.admit();
      this.#permit = operation.permit;
      if (!isAdmitted) return undefined;
    } catch (error) {
      return await this.#sendLast({ type: MessageType.Error, payload: operation.refuse(error).errors });
    } finally {
      this.#waiting = undefined;
      endAccounting();
    }
    if (socket.isDraining) {
      socket.operations.delete(this.#id);
      socket.move();
      return undefined;
    }
    const prepared = operation.prepare(payload);
    if (isRefused(prepared))
      return await this.#sendLast({ type: MessageType.Error, payload: prepared.errors });
    if (operation.type === OperationTypeNode.SUBSCRIPTION) return await this.#open(operation, prepared);
    const answer = await operation.answer(prepared);
    if (this.#awaitRecords(answer.result.errors, prepared)) return undefined;
    return await this.#sendResult(await operation.write(answer));
  }

  async #open(operation: Operation, prepared: OperationArgs): Promise<SubscribedEvents | undefined> {
    const { expiry, writer } = this.#socket;
    // Its token may be another than that of the socket.
    expiry.limit(prepared.contextValue.caller?.token?.expiresAt);
    const subscribed = await operation.open(prepared, { push: { id: this.#id, socket: writer } });
    if (isOpen(subscribed)) return subscribed;
    if (this.#awaitRecords(subscribed.errors, prepared)) return undefined;
    return await this.#sendResult(JSON.stringify(subscribed));
  }

  /** The events are pushed to the socket. Their iterator only ends. */
  #follow(events: SubscribedEvents): void {
    this.#events = events;
    if (!this.#isCurrent) void events.return?.();
    const end = (lastMessage: object): void => void this.#sendLast(lastMessage).then(() => this.#end());
    events.next().then(
      () => end({ type: MessageType.Complete }),
      (error: unknown) => {
        const shown = error instanceof GraphQLError ? error : new GraphQLError(String(error));
        if (shouldAwaitRecords([shown], undefined)) this.#socket.writer.closeWithoutRecords();
        end({ type: MessageType.Error, payload: [shown] });
      },
    );
  }

  async #sendResult(text: JsonText): Promise<undefined> {
    if (!this.#isCurrent) return;
    const message = nextMessage(nextPrefix(this.#id), text);
    // One part: what a slow socket has not taken of it counts as a whole.
    await this.#socket.writer.send(typeof message === 'string' ? message : [Buffer.concat(message)]);
    await this.#sendLast({ type: MessageType.Complete });
  }

  async #sendLast(message: object): Promise<undefined> {
    if (!this.#isCurrent) return;
    this.#socket.operations.delete(this.#id);
    await this.#socket.writer.send(JSON.stringify({ id: this.#id, ...message }));
  }

  /** The client has not completed it, and the socket is open. */
  get #isCurrent(): boolean {
    return this.#socket.operations.get(this.#id) === this;
  }

  /** Whether its client repeats it on a new socket, so that it gets no answer here. */
  #awaitRecords(errors: readonly GraphQLError[] | undefined, operation: OperationArgs): boolean {
    if (!this.#isCurrent || !shouldAwaitRecords(errors, operation)) return false;
    this.#isAwaitingRecords = true;
    this.#socket.awaitRecords();
    return true;
  }

  #end(): void {
    this.#permit?.release();
    this.#socket.onEnd();
  }
}
