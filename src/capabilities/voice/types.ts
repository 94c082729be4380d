import { assetRef } from '../../graphql/asset.ts';
import { connectionType } from '../../graphql/connection.ts';
import { type Context, toOperation } from '../../graphql/context.ts';
import { createErrors } from '../../graphql/errors.ts';
import type { Graph } from '../../graphql/graph.ts';
import { nullable } from '../../graphql/field-options.ts';
import { nodeRef } from '../../graphql/node.ts';
import type { NodeType } from '../../graphql/node-types.ts';
import type { ClonedVoice } from './clone-voice.ts';
import { findPresetVoices, findVoice, type VoiceReads } from './voices.ts';
import type { Voice } from './wire.ts';

export function voiceRef({ builder, use }: Graph) {
  return builder.objectRef<Voice>('Voice').implement({
    description: 'A preset or cloned voice.',
    interfaces: [use(nodeRef)],
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Opaque and URL-safe.' }),
      voiceId: t.exposeString('voiceId', {
        description: 'Id for requests, such as `voice.id` of `createSpeech`.',
      }),
      name: t.string({
        description: 'Display name. The `voiceId` of a voice without one.',
        resolve: ({ name, voiceId }) => name ?? voiceId,
      }),
      language: t.exposeString('language', nullable('As the gateway spells it.')),
      gender: t.exposeString('gender', nullable('As the gateway spells it.')),
      provider: t.exposeString('provider', nullable('As the gateway spells it.')),
      previewUrl: t.expose('previewUrl', { type: 'URL', ...nullable('URL of an audio sample.') }),
      raw: t.expose('raw', { type: 'JSON', ...nullable('As received. Null for a cloned voice.') }),
    }),
  });
}

/** Finds the voices of an execution by id with one search of the catalog. @throws RequestError UNAUTHENTICATED */
export function toVoiceReads(context: Context): VoiceReads {
  const operation = toOperation(context);
  const presets = context.loaders.other('preset voices', (ids) => findPresetVoices(operation, ids));
  return { ...operation, findPreset: (voiceId) => presets.load(voiceId) };
}

export const voiceNode: NodeType = {
  prefix: 'voice',
  typeName: 'Voice',
  isEntity: true,
  find: (id, context) => findVoice(toVoiceReads(context), id),
};

export function voiceConnectionRef(graph: Graph) {
  return connectionType(graph, 'Voice', graph.use(voiceRef), 'voices');
}

/** A separate type, because later reads of the voice have neither the preview nor the reply. */
function clonedVoiceRef({ builder, use }: Graph) {
  return builder.objectRef<ClonedVoice>('ClonedVoice').implement({
    description: 'A newly cloned voice.',
    fields: (t) => ({
      voice: t.expose('voice', {
        type: use(voiceRef),
        description: 'The voice. Use its `voiceId` for speech.',
      }),
      preview: t.expose('preview', {
        type: use(assetRef),
        ...nullable('The voice speaking `previewText`, if the gateway sent it. Null in a replay.'),
      }),
      raw: t.expose('raw', { type: 'JSON', ...nullable('The reply as received. Null in a replay.') }),
    }),
  });
}

export function cloneVoiceResultRef({ builder, use }: Graph) {
  return builder.errorUnion('CloneVoiceResult', {
    description: 'The cloned voice, or an error.',
    types: [use(clonedVoiceRef), ...createErrors],
    resolveType: () => 'ClonedVoice',
  });
}
