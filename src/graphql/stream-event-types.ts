import type { InterfaceRef, ObjectRef } from '@pothos/core';
import type { StoredOutput } from '../store/records.ts';
import type { Types } from './builder.ts';
import type { Graph } from './graph.ts';
import { gengraphErrorRef, toErrorFacts } from './errors.ts';
import { generationRef } from './refs.ts';
import type { GenerationEvent } from '../streams/follow-stream.ts';

export interface EventTypesOptions<State, Delta, SoFar extends StoredOutput> {
  /** Prefix of all type names: `Chat` for `ChatEvent`. */
  readonly prefix: string;
  readonly soFar: ObjectRef<Types, SoFar>;
  readonly toSoFar: (event: GenerationEvent<State, Delta>) => SoFar;
  readonly descriptions: {
    /** The root fields that take the generation's id. */
    readonly generationId: string;
    readonly soFar: string;
    /** How to subscribe again after missing an event: `without \`after\``. */
    readonly again: string;
    readonly completed: string;
    readonly failed: string;
  };
}

export interface EventTypes<State, Delta> {
  readonly event: InterfaceRef<Types, GenerationEvent<State, Delta>>;
  /** The capability adds the fields with the new values. */
  readonly delta: ObjectRef<Types, GenerationEvent<State, Delta> & { readonly type: 'delta' }>;
}

/** The events of one kind of stream: an interface, a snapshot, a delta, and one type for each ending. */
export function streamEventTypes<State, Delta, SoFar extends StoredOutput>(
  graph: Graph,
  options: EventTypesOptions<State, Delta, SoFar>,
): EventTypes<State, Delta> {
  const { builder } = graph;
  const { prefix, descriptions } = options;
  type Event = GenerationEvent<State, Delta>;
  const names: { readonly [Type in Event['type']]: string } = {
    snapshot: `${prefix}Snapshot`,
    delta: `${prefix}Delta`,
    completed: `${prefix}Completed`,
    canceled: `${prefix}Canceled`,
    failed: `${prefix}Failed`,
  };
  const event = builder.interfaceRef<Event>(`${prefix}Event`);
  event.implement({
    description: `An event of a stream. ${names.snapshot} comes first, then any number of ${names.delta}, then exactly one of ${names.completed}, ${names.canceled}, ${names.failed}. A client that reconnects replaces its state by the snapshot and goes on.`,
    fields: (t) => ({
      generationId: t.id({
        nullable: true,
        description: `Id of the generation, which ${descriptions.generationId} take; null only where a refusal made none.`,
        resolve: ({ generation }) => generation?.id,
      }),
      sequence: t.exposeInt('sequence', {
        description:
          'Number of the last delta up to here; 0 before the first. It counts what the gateway sent, not events.',
      }),
      soFar: t.field({
        type: options.soFar,
        description: descriptions.soFar,
        // `soFar` has the type of its ref.
        resolve: (source) => options.toSoFar(source) as never,
      }),
    }),
    resolveType: ({ type }) => names[type],
  });
  builder.objectRef<Event & { readonly type: 'snapshot' }>(names.snapshot).implement({
    description: 'Everything so far is in `soFar`: replace what you have by it.',
    interfaces: [event],
  });
  implementEnds(graph, names, event, descriptions);
  return { event, delta: implementDelta(graph, names.delta, event, descriptions.again) };
}

function implementDelta<State, Delta>(
  { builder }: Graph,
  name: string,
  event: InterfaceRef<Types, GenerationEvent<State, Delta>>,
  again: string,
): EventTypes<State, Delta>['delta'] {
  const delta = builder.objectRef<GenerationEvent<State, Delta> & { readonly type: 'delta' }>(name);
  delta.implement({
    description: `What is new. Apply it if \`fromSequence\` is your last \`sequence\` + 1; drop it if \`sequence\` is not beyond yours; else you missed something: subscribe again ${again}.`,
    interfaces: [event],
    fields: (t) => ({
      fromSequence: t.exposeInt('fromSequence', {
        description:
          'Number of the first delta of the upstream in this one; `sequence` is that of the last. Deltas merge when they arrive together or wait for a slow socket.',
      }),
    }),
  });
  return delta;
}

function implementEnds<State, Delta>(
  { builder, use }: Graph,
  names: { readonly completed: string; readonly canceled: string; readonly failed: string },
  event: InterfaceRef<Types, GenerationEvent<State, Delta>>,
  descriptions: { readonly completed: string; readonly failed: string },
): void {
  type Event = GenerationEvent<State, Delta>;
  const interfaces = [event];
  builder.objectRef<Event & { readonly type: 'completed' }>(names.completed).implement({
    description: descriptions.completed,
    interfaces,
    fields: (t) => ({
      generation: t.field({
        type: use(generationRef),
        nullable: true,
        description: "The generation's record as it ended, with usage.",
        resolve: ({ generation }) => generation,
      }),
    }),
  });
  builder.objectRef<Event & { readonly type: 'canceled' }>(names.canceled).implement({
    description:
      'The end: cancelled by its owner, or stopped because nobody watched. What had arrived is kept.',
    interfaces,
    fields: (t) => ({
      generation: t.field({
        type: use(generationRef),
        nullable: true,
        description: "The generation's record as it ended.",
        resolve: ({ generation }) => generation,
      }),
    }),
  });
  builder.objectRef<Event & { readonly type: 'failed' }>(names.failed).implement({
    description: descriptions.failed,
    interfaces,
    fields: (t) => ({
      error: t.field({
        type: use(gengraphErrorRef),
        description: 'Why: what the create was refused with, or what became of the stream (`StreamError`).',
        resolve: ({ error }) => toErrorFacts(error),
      }),
      generation: t.field({
        type: use(generationRef),
        nullable: true,
        description: "The generation's record; null where a refusal made none.",
        resolve: ({ generation }) => generation,
      }),
    }),
  });
}
