import { StreamError } from '../errors.ts';
import type { Engine, Operation } from '../generations/engine.ts';
import type { GatewayRequest } from '../gateway/gateway.ts';
import { Redactor } from '../gateway/redact.ts';
import type { Generation } from '../store/records.ts';
import { type EndParts, stopStream, withoutLargeRequest } from './end-stream.ts';
import type { GenerationStream, StreamedKind, StreamOutcome } from './streamed-kind.ts';

type StreamParts = EndParts & Pick<Engine, 'gateway'>;

/** A running create whose reply is a stream. */
export interface StreamRun<State, Delta> extends Pick<Operation<StreamParts>, 'engine' | 'caller'> {
  readonly streamed: StreamedKind<State, Delta>;
  readonly generation: Generation;
  /** Its signal aborts when the stream ends for a reason other than its reply. */
  readonly request: GatewayRequest;
  readonly stream: GenerationStream<State, Delta>;
}

/** Opens a stream's log. Ends the stream on detachment, on shutdown, and when another instance has ended it. */
export function openStream<State, Delta>(
  { streamed, engine, caller, generation, request }: Omit<StreamRun<State, Delta>, 'stream'>,
  detachMs: number | undefined,
): StreamRun<State, Delta> {
  const { shape, noun } = streamed;
  const path = typeof request.path === 'string' ? request.path : request.path.path;
  const redactor = new Redactor(caller.credential);
  // Without the request, whose body may be large.
  const held = withoutLargeRequest(generation);
  const stop = (status: 'CANCELED' | 'FAILED', error?: StreamError): Promise<unknown> =>
    stopStream({ streamed, engine, generation: held, stream }, { status, ...(error && { error }) });
  /** Another instance recorded a cancel of the stream, or recovered it after this instance's lease expired. */
  const onEndedElsewhere = (): void =>
    void stop('FAILED', new StreamError('INTERRUPTED', `Another instance ended this ${noun}.`));
  const opened = engine.streams.open<State, Delta, StreamOutcome>(shape, generation.id, {
    generation,
    detachMs,
    async save(state, sequence) {
      const output = redactor.value(streamed.toOutput({ state, sequence }));
      if (!(await engine.store.saveOutput(held.id, output))) onEndedElsewhere();
    },
    onEndedElsewhere,
    onDetached: () =>
      void stop(
        'CANCELED',
        new StreamError('DETACHED', `This ${noun} was stopped because it had no watcher.`),
      ),
    cancel: () => stop('CANCELED'),
    interrupt: () =>
      stop('FAILED', new StreamError('INTERRUPTED', `The server stopped while this ${noun} was running.`)),
  });
  const stream: GenerationStream<State, Delta> = Object.assign(opened, {
    reader: streamed.createReader((address) => engine.gateway.resolve(address, path)),
    redactor,
    timing: { sentAt: engine.clock.elapsed() },
  });
  return { streamed, engine, caller, generation, request: { ...request, signal: stream.signal }, stream };
}
