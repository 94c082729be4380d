import { builder } from '../../graphql/builder.ts';
import { connectionType } from '../../graphql/connection.ts';
import { requireCaller } from '../../graphql/context.ts';
import { NodeRef } from '../../graphql/node.ts';
import { registerEntity } from '../../graphql/subgraph/entities.ts';
import { findVoice, listVoices } from './voices.ts';
import type { Voice } from './wire.ts';

export const VoiceRef = builder.objectRef<Voice>('Voice').implement({
  description: 'A voice for speech and video.',
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque and URL-safe; the same on every instance.' }),
    voiceId: t.exposeString('voiceId', { description: 'What requests name it by. Wire name `voice_id`.' }),
    name: t.exposeString('name', { nullable: true, description: 'For people.' }),
    language: t.exposeString('language', {
      nullable: true,
      description: 'What it speaks, in the words of the gateway.',
    }),
    gender: t.exposeString('gender', { nullable: true, description: 'In the words of the gateway.' }),
    owner: t.exposeString('owner', { nullable: true, description: 'Who provides it.' }),
    previewUrl: t.expose('previewUrl', {
      type: 'URL',
      nullable: true,
      description: 'A sample to listen to.',
    }),
    raw: t.expose('raw', { type: 'JSON', description: 'The entry as received.' }),
  }),
});

registerEntity('voice', { typeName: 'Voice', find: (id, context) => findVoice(context, id) });

const VoiceConnectionRef = connectionType('Voice', VoiceRef, 'voices');

builder.queryFields((t) => ({
  voices: t.field({
    type: VoiceConnectionRef,
    description: 'The preset voices, in the order of the gateway (GET /videoa/v1/general/presets-voices).',
    args: {
      first: t.arg.int({ description: 'How many, at most 100; 20 by default.' }),
      after: t.arg.string({ description: 'Only what comes after this cursor.' }),
    },
    resolve(_root, { first, after }, context) {
      requireCaller(context);
      return listVoices(context, first, after);
    },
  }),
  voice: t.field({
    type: VoiceRef,
    nullable: true,
    description: 'A voice by its id; null when the catalogue has none.',
    args: { id: t.arg.id({ required: true, description: "The voice's id." }) },
    async resolve(_root, { id }, context) {
      requireCaller(context);
      return (await findVoice(context, id)) ?? null;
    },
  }),
}));
