import { builder } from '../../graphql/builder.ts';
import { createArguments, CreateGenerationResultRef, toCreateCall } from '../../graphql/create.ts';
import { createTask } from '../../tasks/create-task.ts';
import { registerOutput } from '../../graphql/generation-output.ts';
import { registerTaskKind } from '../../tasks/task-kinds.ts';
import { speechPath, toSpeechBody } from './client.ts';
import { CreateSpeechInput } from './inputs.ts';
import { speechLimits } from './limits.ts';
import { decodeSpeech, decodeSpeechAcknowledgement, isSpeechRefusal, type SpeechClip } from './wire.ts';

registerTaskKind({ kind: 'SPEECH', decode: decodeSpeech, isRefusal: isSpeechRefusal });

const SpeechClipRef = builder.objectRef<SpeechClip>('SpeechClip').implement({
  description: 'Speech from text: what the gateway has told of it, with the audio once that is known.',
  fields: (t) => ({
    audioUrl: t.expose('audioUrl', {
      type: 'URL',
      nullable: true,
      description:
        'Address of the audio. Null until it is made, and where the gateway cannot be asked: it documents no read.',
    }),
    durationSeconds: t.exposeFloat('durationSeconds', {
      nullable: true,
      description: 'Playing time in seconds, as reported; may be 0 until it is made. Wire name `duration`.',
    }),
    model: t.exposeString('model', { nullable: true, description: 'The model that speaks.' }),
    prompt: t.exposeString('prompt', { nullable: true, description: 'The text as it was used.' }),
    seed: t.expose('seed', { type: 'BigInt', nullable: true, description: 'The seed that was used.' }),
    credits: t.expose('credits', {
      type: 'BigInt',
      nullable: true,
      description: "What it costs in the gateway's credits, as reported.",
    }),
  }),
});

registerOutput({
  type: 'speech-clip',
  ref: SpeechClipRef,
  assets: ({ audioUrl, durationSeconds }) =>
    audioUrl === undefined ? [] : [{ kind: 'AUDIO', url: audioUrl, durationSeconds }],
});

builder.mutationField('createSpeech', (t) =>
  t.field({
    type: CreateGenerationResultRef,
    description:
      'Makes speech from text (POST /ent/v2/audio-tts). The gateway documents no way to ask for it: its task is NOT_TRACKABLE, unless the operator has named one (GATEWAY_TASK_PATHS).',
    args: {
      input: t.arg({ type: CreateSpeechInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    resolve: (_root, { input, ...args }, context, info) =>
      createTask(toCreateCall(args, context, info), {
        kind: 'SPEECH',
        input,
        limits: speechLimits,
        prompt: input.text,
        path: speechPath,
        toBody: toSpeechBody,
        decode: decodeSpeechAcknowledgement,
        isRefusal: isSpeechRefusal,
      }),
  }),
);
