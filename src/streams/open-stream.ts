import { StreamError } from '../errors.ts';
import type { Operation } from '../generations/engine.ts';
import type { GatewayRequest } from '../gateway/gateway.ts';
import type { Generation } from '../store/records.ts';
import { stopStream } from './end-stream.ts';
import type { GenerationStream, StreamedKind, StreamOutcome } from './streamed-kind.ts';

/** One create whose reply is a stream, while it runs. */
export interface StreamRun<State, Delta> extends Pick<Operation, 'engine' | 'caller'> {
  readonly streamed: StreamedKind<State, Delta>;
  readonly generation: Generation;
  /** Aborted when the stream ends for a reason other than its reply. */
  readonly request: GatewayRequest;
  readonly stream: GenerationStream<State, Delta>;
}

/** Opens the log of a stream, and connects everything that can end it: detachment, other instances, and shutdown. */
export function openStream<State, Delta>(
  options: Omit<StreamRun<State, Delta>, 'stream'>,
  detachMs: number | undefined,
): StreamRun<State, Delta> {
  const { streamed, engine, generation, request } = options;
  const { shape, noun } = streamed;
  const stop = (status: 'CANCELED' | 'FAILED', error: StreamError): Promise<unknown> =>
    stopStream({ ...options, stream }, { status, error });
  /** Cancelled through another instance, or recovered by one that found this instance's lease expired. */
  const onEndedElsewhere = (): void =>
    void stop('FAILED', new StreamError('INTERRUPTED', `Another instance ended this ${noun}.`));
  const opened = engine.streams.open<State, Delta, StreamOutcome>(shape, generation.id, {
    detachMs,
    async save(state, sequence) {
      const output = streamed.toOutput({ state, sequence });
      if (!(await engine.store.saveOutput(generation.id, output))) onEndedElsewhere();
    },
    onEndedElsewhere,
    onDetached: () =>
      void stop(
        'CANCELED',
        new StreamError('DETACHED', `This ${noun} was stopped because nobody watched it.`),
      ),
    interrupt: () =>
      stop('FAILED', new StreamError('INTERRUPTED', `The server stopped while this ${noun} was running.`)),
  });
  const stream: GenerationStream<State, Delta> = Object.assign(opened, { reader: streamed.createReader() });
  return { ...options, request: { ...request, signal: stream.signal }, stream };
}
