import type { Graph } from '../../graphql/graph.ts';
import { defaultPageSize } from '../../graphql/connection.ts';
import { toOperation } from '../../graphql/context.ts';
import { keyArgument, toCreateCall } from '../../graphql/create.ts';
import { cloneVoice } from './clone-voice.ts';
import { cloneVoiceInput } from './inputs.ts';
import { voiceFilterInput } from './voice-filter.ts';
import { findVoiceByAnyId, listVoices } from './voices.ts';
import { cloneVoiceResultRef, toVoiceReads, voiceConnectionRef, voiceRef } from './types.ts';

export function addVoiceQueries({ builder, use }: Graph): void {
  builder.queryFields((t) => ({
    voices: t.field({
      type: use(voiceConnectionRef),
      nullable: true,
      description: 'Preset voices, in the order of the gateway.',
      args: {
        first: t.arg.int({ defaultValue: defaultPageSize, description: 'Page size, up to 100.' }),
        after: t.arg.string({
          description: 'Return items after this cursor of a list with the same filter.',
        }),
        filter: t.arg({ type: use(voiceFilterInput), description: 'Default: all voices.' }),
      },
      resolve: (_root, list, context) => listVoices(toOperation(context), list),
    }),
    voice: t.field({
      type: use(voiceRef),
      nullable: true,
      description:
        'A preset voice, or one cloned through this API, which has only `id` and `voiceId` and may no longer exist.',
      args: { id: t.arg.id({ required: true, description: "The voice's `id` or `voiceId`." }) },
      resolve: async (_root, { id }, context) => (await findVoiceByAnyId(toVoiceReads(context), id)) ?? null,
    }),
  }));
}

export function addCloneVoice(graph: Graph): void {
  const { builder, use } = graph;
  builder.mutationField('cloneVoice', (t) =>
    t.field({
      type: use(cloneVoiceResultRef),
      nullable: true,
      description: 'Clones a voice. `voices` does not list it: keep its id.',
      args: {
        input: t.arg({ type: use(cloneVoiceInput), required: true }),
        ...use(keyArgument),
      },
      resolve: (_root, { input, ...args }, context, info) =>
        cloneVoice(toCreateCall(args, context, info), input),
    }),
  );
}
