import { type ExpectedError, GatewayError } from '../../errors.ts';
import { isErrorBody, reportsError } from '../../gateway/decode-error.ts';
import type { Engine } from '../../generations/engine.ts';
import { decodeUsage } from '../../generations/decode-usage.ts';
import { withoutMedia } from '../../generations/without-media.ts';
import type { FailedImage, ImageSet } from '../../generations/image-set.ts';
import { findStream, type ReplyReader, type StreamedKind } from '../../streams/streamed-kind.ts';
import { asJsonObject, asRecord, asString, isRecord, type Json } from '../../lib/json.ts';
import { toMilliseconds } from '../../lib/time.ts';
import type { GenerationUsage, LazyGeneration, StoredOutput } from '../../store/records.ts';
import { createDeltaLog } from '../../streams/delta-log.ts';
import { type DecodedImages, decodeByResolutionItem, findItems, type Resolve, toFailure } from './wire.ts';

/** The images of one request so far. In a delta: the new ones. */
export interface ImageStreamState extends DecodedImages {
  readonly created?: number | undefined;
}

const empty: ImageStreamState = { images: [], failures: [] };

/** POST /v1/images/generations with `byResolution` and `stream: true`: each image arrives when it is finished. */
export const imageStreamKind: StreamedKind<ImageStreamState, ImageStreamState> = {
  kind: 'IMAGE',
  noun: 'image stream',
  shape: { initial: empty, apply: add, merge, createLog: (maxLength) => createDeltaLog(maxLength, merge) },
  isStreamed: ({ input }) => input['stream'] === true,
  createReader: createEventReader,
  hasToken: ({ images }) => images.length > 0,
  isRefusal: (body) => !isPartOfImage(body) && (hasError(body) || (isErrorBody(body) && !hasImages(body))),
  findExcess,
  findFailure: ({ images, failures }, document) =>
    images.length > 0 ? undefined : noImage(failures, document),
  toOutput: ({ sequence, state }): StreamedImageSet => ({ type: 'image-set', ...state, sequence }),
  fromOutput(output) {
    if (output?.type !== 'image-set') return { sequence: 0, state: empty };
    // Written by `toOutput`, or by `createImage`, which has no sequence.
    const { sequence = 0, created, images, failures = [] } = output as StreamedImageSet;
    return { sequence, state: { created, images, failures } };
  },
};

/** The current images: from the log while the stream runs, otherwise from the record. */
export function findImageSet(
  generation: LazyGeneration,
  engine: Pick<Engine, 'streams'>,
): StoredOutput | undefined {
  const stream = findStream(engine, imageStreamKind, generation.id);
  return stream && stream.end === undefined ? toImageSet(stream.state) : generation.output;
}

export function toImageSet(state: ImageStreamState): ImageSet {
  return { type: 'image-set', ...state };
}

interface StreamedImageSet extends ImageSet {
  readonly sequence?: number;
}

function add(state: ImageStreamState, delta: ImageStreamState): ImageStreamState {
  return {
    created: state.created ?? delta.created,
    images: [...state.images, ...delta.images],
    failures: [...state.failures, ...delta.failures],
  };
}

function merge(deltas: readonly ImageStreamState[]): ImageStreamState {
  return {
    created: deltas.find(({ created }) => created !== undefined)?.created,
    images: deltas.flatMap(({ images }) => images),
    failures: deltas.flatMap(({ failures }) => failures),
  };
}

/** Many times what any request can ask for. All of them are copied for each that is added. */
const maxImages = 1000;

function findExcess({ images, failures }: ImageStreamState): ExpectedError | undefined {
  if (images.length + failures.length <= maxImages) return undefined;
  return new GatewayError(`The reply has more than ${maxImages} images, so the stream was stopped.`, {
    status: 200,
  });
}

function noImage(failures: readonly FailedImage[], document: Json | undefined): ExpectedError {
  const { message, upstreamCode } = toFailure(failures, document);
  return new GatewayError(message, { status: 200, upstreamCode });
}

function hasError(body: Json): boolean {
  return isRecord(body) && isRecord(body['error']) && reportsError(body) && !hasImages(body);
}

const toNothing: Resolve = () => undefined;

/** Whether a whole reply has images. An error beside them concerns others, so it was not refused. */
export function hasImages(body: Json): boolean {
  return readEvent(asRecord(body) ?? {}, toNothing).images.length > 0;
}

/** Whether an event belongs to one image of the set. Its error then concerns only that image. */
function isPartOfImage(body: Json): boolean {
  const event = asRecord(body);
  return event?.['image_index'] !== undefined || /\bpartial/.test(asString(event?.['type']) ?? '');
}

/**
 * The gateway's document does not show the shape of the events. This reads the common one: `…partial_succeeded` with an
 * image, `…partial_failed` with its error, `…completed` with the usage. It also reads whole replies, as `createImage` does.
 */
function createEventReader(resolve: Resolve = toNothing): ReplyReader<ImageStreamState, ImageStreamState> {
  const events: Json[] = [];
  let usage: GenerationUsage | undefined;
  let isComplete = false;
  return {
    read(event) {
      // The images themselves are in the stream's state.
      events.push(withoutMedia(asJsonObject(event) ?? {}));
      usage = decodeUsage(event['usage']) ?? usage;
      isComplete = /\bcompleted$/.test(asString(event['type']) ?? '');
      const delta = readEvent(event, resolve);
      return delta.images.length + delta.failures.length > 0 ? delta : undefined;
    },
    get isComplete() {
      return isComplete;
    },
    get usage() {
      return usage;
    },
    toRaw: () => (events.length > 0 ? events : undefined),
  };
}

/** The images of a whole reply, or the image of an event. */
function readEvent(event: Readonly<Record<string, unknown>>, resolve: Resolve): ImageStreamState {
  // A preview, which the finished image replaces.
  if (/\bpartial_image$/.test(asString(event['type']) ?? '')) return empty;
  const created = toMilliseconds(event['created']);
  const read = (item: unknown, index: unknown): DecodedImages =>
    decodeByResolutionItem(item, { index: event['image_index'] ?? index, createdAt: created, resolve });
  const items = findItems(event).map(read);
  const found = items.some(({ images, failures }) => images.length + failures.length > 0);
  return { ...(found ? merge(items) : read(event, undefined)), created };
}
