import type { InterfaceRef, ObjectRef } from '@pothos/core';
import type { StoredOutput } from '../store/records.ts';
import type { Types } from './builder.ts';
import type { Context } from './context.ts';
import { showFiles } from './generation-output.ts';
import type { Graph } from './graph.ts';
import { gengraphErrorRef, toErrorFacts } from './errors.ts';
import { generationRef } from './refs.ts';
import type { GenerationEvent } from '../streams/follow-stream.ts';
import { nullable } from './field-options.ts';

export interface EventTypesOptions<State, Delta, SoFar extends StoredOutput> {
  /** Prefix of all type names: `Chat` for `ChatEvent`. */
  readonly prefix: string;
  readonly soFar: ObjectRef<Types, SoFar>;
  readonly toSoFar: (event: GenerationEvent<State, Delta>) => SoFar;
  readonly descriptions: EventDescriptions;
}

interface EventDescriptions {
  readonly event: string;
  readonly soFar: string;
  readonly delta: string;
  readonly completed: string;
  readonly canceled: string;
  readonly failed: string;
}

export interface EventTypes<State, Delta> {
  readonly event: InterfaceRef<Types, GenerationEvent<State, Delta>>;
  /** The caller adds the fields with the new data. */
  readonly delta: ObjectRef<Types, GenerationEvent<State, Delta> & { readonly type: 'delta' }>;
}

/** The events of one kind of stream: an interface, a snapshot, a delta, and one type for each outcome. */
export function streamEventTypes<State, Delta, SoFar extends StoredOutput>(
  graph: Graph,
  options: EventTypesOptions<State, Delta, SoFar>,
): EventTypes<State, Delta> {
  const { builder, use } = graph;
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
    description: descriptions.event,
    fields: (t) => ({
      generationId: t.id({
        ...nullable('Null if the create was refused.'),
        resolve: ({ generation }) => generation?.id,
      }),
      sequence: t.exposeInt('sequence', {
        description: 'Last delta. 0 before the first.',
      }),
      soFar: t.field({
        type: options.soFar,
        description: descriptions.soFar,
        // The type of `soFar` guarantees the value.
        resolve: (source, _args, context) =>
          showSoFar(graph, options.toSoFar(source), source, context) as never,
      }),
    }),
    resolveType: ({ type }) => names[type],
  });
  builder.objectRef<Event & { readonly type: 'snapshot' }>(names.snapshot).implement({
    description: 'Replace your state with `soFar`.',
    interfaces: [event],
  });
  const delta = builder.objectRef<Event & { readonly type: 'delta' }>(names.delta).implement({
    description: descriptions.delta,
    interfaces: [event],
    fields: (t) => ({
      fromSequence: t.exposeInt('fromSequence', {
        description: 'First delta of this event; `sequence` is the last.',
      }),
    }),
  });
  const finished = { type: use(generationRef), nullable: true } as const;
  for (const [type, description] of [
    ['completed', 'The finished generation, with usage.'],
    ['canceled', 'The finished generation.'],
  ] as const)
    builder.objectRef<Event>(names[type]).implement({
      description: descriptions[type],
      interfaces: [event],
      fields: (t) => ({ generation: t.expose('generation', { ...finished, description }) }),
    });
  builder.objectRef<Event & { readonly type: 'failed' }>(names.failed).implement({
    description: descriptions.failed,
    interfaces: [event],
    fields: (t) => ({
      error: t.field({
        type: use(gengraphErrorRef),
        description: 'Why the create was refused, or a `StreamError`.',
        resolve: ({ error, generation }) => toErrorFacts(error, generation?.id),
      }),
      generation: t.expose('generation', {
        ...finished,
        description: 'Null if the create was refused.',
      }),
    }),
  });
  return { event, delta };
}

/** The output so far. With the addresses of stored files, if the generation has ended. */
function showSoFar(
  graph: Graph,
  soFar: StoredOutput,
  { generation }: GenerationEvent<unknown, unknown>,
  context: Context,
): StoredOutput | Promise<StoredOutput> {
  const isEnded = generation?.finishedAt !== undefined;
  return isEnded && context.engine.files ? showFiles(graph, soFar, generation, context) : soFar;
}
