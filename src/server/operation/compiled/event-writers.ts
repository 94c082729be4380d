import { type DocumentNode, type GraphQLSchema, Kind } from 'graphql';
import type { Context } from '../../../graphql/context.ts';
import { fragmentsOf } from '../operation-limits.ts';
import { createSelectionCompiler, type Write } from './compile-selection.ts';

/** The JSON text of the `data` of one event. Undefined if only graphql-js can execute the event. */
export type EventWriter = (event: unknown) => string | undefined;

/** The execution arguments of the events of a subscription: a query without variables. */
interface EventOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
}

/** Compiles the selections of subscriptions, once per operation. */
export interface EventWriters {
  /** Subscriptions with the same operation and origin share the text of an event. */
  find(operation: EventOperation, origin: object): EventWriter | undefined;
}

/**
 * Longer events are not written here, in one step: they are prepared in turns with those of other owners, and their bytes
 * count. The text of a whole reply, which `soFar` selects, can have megabytes.
 */
export const maxWrittenChars = 65_536;

/** Longer texts are not remembered: memory must not hold them beside the bytes that wait to be sent. */
const maxSharedChars = 16_384;

interface CompiledEvents {
  readonly write: Write;
  readonly writers: WeakMap<object, OriginWriter>;
}

interface OriginWriter {
  readonly writer: EventWriter;
  /** Whether a second subscription has found it. */
  isShared: boolean;
}

/** `maxAnswerBytes`: the budget of one answer. */
export function createEventWriters(maxAnswerBytes: number): EventWriters {
  const maxBytes = Math.min(maxAnswerBytes, maxWrittenChars);
  const documents = new WeakMap<DocumentNode, CompiledEvents | undefined>();
  // A text is shared by clients, so it must not depend on the context of one of them.
  const unavailable = new Error('the event depends on its context');
  const noContext = new Proxy({} as Context, {
    get() {
      throw unavailable;
    },
  });

  const createWriter = (write: Write, isShared: () => boolean): EventWriter => {
    // Watchers that keep up receive the same event.
    let lastEvent: unknown;
    let lastText = '';
    return (event) => {
      if (event === lastEvent) return lastText;
      try {
        const text = write(event, noContext, { maxBytes, bytes: 0, objects: 0 });
        const isSmall = isShared() && text.length <= maxSharedChars;
        lastEvent = isSmall ? event : undefined;
        lastText = isSmall ? text : '';
        return text;
      } catch {
        // graphql-js executes the event and reports the error, if there is one.
        return undefined;
      }
    };
  };
  return {
    find(operation, origin) {
      const { document } = operation;
      if (!documents.has(document)) documents.set(document, compile(operation));
      const compiled = documents.get(document);
      if (!compiled) return undefined;
      const { write, writers } = compiled;
      const known = writers.get(origin);
      if (known) {
        known.isShared = true;
        return known.writer;
      }
      // The text of an event has many parts. For a single watcher it must not stay until the next event.
      const created: OriginWriter = { isShared: false, writer: createWriter(write, () => created.isShared) };
      writers.set(origin, created);
      return created.writer;
    },
  };
}

function compile({ schema, document }: EventOperation): CompiledEvents | undefined {
  const root = schema.getQueryType();
  const fragments = Object.fromEntries(fragmentsOf(document));
  const [operation] = document.definitions;
  if (!root || operation?.kind !== Kind.OPERATION_DEFINITION) return undefined;
  try {
    const compiler = createSelectionCompiler(schema, fragments);
    return { write: compiler.compileObject(root, [operation.selectionSet]), writers: new WeakMap() };
  } catch {
    return undefined;
  }
}
