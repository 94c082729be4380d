import { AssetRef } from '../../graphql/asset.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionType } from '../../graphql/connection.ts';
import { toOperation } from '../../graphql/context.ts';
import { describeCreateArguments, toCreateCall } from '../../graphql/create.ts';
import { createErrors } from '../../graphql/errors.ts';
import { NodeRef } from '../../graphql/node.ts';
import { registerEntity } from '../../graphql/subgraph/entities.ts';
import { type ClonedVoice, cloneVoice } from './clone-voice.ts';
import { CloneVoiceInput } from './inputs.ts';
import { findVoice, listVoices } from './voices.ts';
import type { Voice } from './wire.ts';

export const VoiceRef = builder.objectRef<Voice>('Voice').implement({
  description: 'A voice that speaks: of the preset catalogue, or cloned.',
  interfaces: [NodeRef],
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

registerEntity('voice', { typeName: 'Voice', find: (id, context) => findVoice(toOperation(context), id) });

const VoiceConnectionRef = connectionType('Voice', VoiceRef, 'voices');

builder.queryFields((t) => ({
  voices: t.field({
    type: VoiceConnectionRef,
    description: 'The preset voices, in the order of the gateway (GET /videoa/v1/general/presets-voices).',
    args: {
      first: t.arg.int({ description: 'How many, at most 100; 20 by default.' }),
      after: t.arg.string({ description: 'Only what comes after this cursor.' }),
    },
    resolve: (_root, { first, after }, context) => listVoices(toOperation(context), first, after),
  }),
  voice: t.field({
    type: VoiceRef,
    nullable: true,
    description:
      'A voice by its id; null when the catalogue has none. The id of a cloned voice is valid by itself, for whoever cloned it: the gateway documents no read, so only its `voiceId` is known, and not whether it is still there.',
    args: { id: t.arg.id({ required: true, description: "The voice's id." }) },
    resolve: async (_root, { id }, context) => (await findVoice(toOperation(context), id)) ?? null,
  }),
}));

/** Not the voice itself: the preview and the reply belong to this one clone, and a voice is read again without them. */
const ClonedVoiceRef = builder.objectRef<ClonedVoice>('ClonedVoice').implement({
  description: 'A voice that was cloned.',
  fields: (t) => ({
    voice: t.expose('voice', {
      type: VoiceRef,
      description: 'The voice; speech takes its `voiceId`.',
    }),
    preview: t.expose('preview', {
      type: AssetRef,
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

const CloneVoiceResultRef = builder.errorUnion('CloneVoiceResult', {
  description: 'The voice that was cloned, or why none was.',
  types: [ClonedVoiceRef, ...createErrors],
  resolveType: () => 'ClonedVoice',
});

builder.mutationField('cloneVoice', (t) =>
  t.field({
    type: CloneVoiceResultRef,
    description:
      'Clones a voice from an uploaded audio file (POST /speecha/v1/voice_clone). It makes a voice, and no generation.',
    args: {
      input: t.arg({ type: CloneVoiceInput, required: true, description: 'The request.' }),
      ...describeCreateArguments({
        again: 'the voice that it made is returned again, without `preview` and `raw`',
        group: 'Without effect, as a clone makes no generation to file. At most 200 characters.',
      }),
    },
    resolve: (_root, { input, ...args }, context, info) =>
      cloneVoice(toCreateCall(args, context, info), input),
  }),
);
