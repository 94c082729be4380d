import { assetRef } from '../../graphql/asset.ts';
import { connectionType } from '../../graphql/connection.ts';
import { toOperation } from '../../graphql/context.ts';
import { createErrors } from '../../graphql/errors.ts';
import type { Graph } from '../../graphql/graph.ts';
import { nodeRef } from '../../graphql/node.ts';
import type { NodeType } from '../../graphql/node-types.ts';
import type { ClonedVoice } from './clone-voice.ts';
import { findVoice } from './voices.ts';
import type { Voice } from './wire.ts';

export function voiceRef({ builder, use }: Graph) {
  return builder.objectRef<Voice>('Voice').implement({
    description: 'A voice that speaks: of the preset catalogue, or cloned.',
    interfaces: [use(nodeRef)],
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Opaque and URL-safe; the same on every instance.' }),
      voiceId: t.exposeString('voiceId', {
        description:
          'The id that requests take, such as `voiceSettingVoiceId` of speech. Wire name `voice_id`.',
      }),
      name: t.exposeString('name', {
        nullable: true,
        description: 'Its name for people; null for a cloned voice.',
      }),
      language: t.exposeString('language', {
        nullable: true,
        description: 'What it speaks, in the words of the gateway.',
      }),
      gender: t.exposeString('gender', {
        nullable: true,
        description: 'The gender of the voice, in the words of the gateway.',
      }),
      owner: t.exposeString('owner', {
        nullable: true,
        description: 'Who provides it, in the words of the gateway.',
      }),
      previewUrl: t.expose('previewUrl', {
        type: 'URL',
        nullable: true,
        description: 'Address of a sample to listen to.',
      }),
      raw: t.expose('raw', {
        type: 'JSON',
        nullable: true,
        description: 'The entry of the catalogue as received; null for a cloned voice.',
      }),
    }),
  });
}

export const voiceNode: NodeType = {
  prefix: 'voice',
  typeName: 'Voice',
  isEntity: true,
  find: (id, context) => findVoice(toOperation(context), id),
};

export function voiceConnectionRef(graph: Graph) {
  return connectionType(graph, 'Voice', graph.use(voiceRef), 'voices');
}

/** Not the voice itself: the preview and the reply belong to this one clone, and a voice is read again without them. */
function clonedVoiceRef({ builder, use }: Graph) {
  return builder.objectRef<ClonedVoice>('ClonedVoice').implement({
    description: 'A voice that was cloned.',
    fields: (t) => ({
      voice: t.expose('voice', {
        type: use(voiceRef),
        description: 'The voice; speech takes its `voiceId`.',
      }),
      preview: t.expose('preview', {
        type: use(assetRef),
        nullable: true,
        description:
          'The voice speaking `text`, where the gateway gave that. Told once: null where a repeated idempotency key returns the voice again.',
      }),
      raw: t.expose('raw', {
        type: 'JSON',
        nullable: true,
        description:
          'The reply as received. Told once: null where a repeated idempotency key returns the voice again.',
      }),
    }),
  });
}

export function cloneVoiceResultRef({ builder, use }: Graph) {
  return builder.errorUnion('CloneVoiceResult', {
    description: 'The voice that was cloned, or why none was.',
    types: [use(clonedVoiceRef), ...createErrors],
    resolveType: () => 'ClonedVoice',
  });
}
