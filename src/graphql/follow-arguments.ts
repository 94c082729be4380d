import type { Graph } from './graph.ts';

/** The arguments of every subscription that follows a recorded stream. */
export function followArguments({ builder }: Graph) {
  return builder.args((t) => ({
    id: t.id({ required: true, description: 'Id of the generation.' }),
    after: t.int({
      description:
        'Last `sequence` that you have. Only later deltas are sent, or a snapshot if they are no longer available. Omit it if your client resends its first variables when it reconnects.',
    }),
  }));
}
