import type { OutputType } from '../../graphql/generation-output.ts';
import type { Graph } from '../../graphql/graph.ts';
import type { SpeechClip } from './wire.ts';

function speechClipRef({ builder }: Graph) {
  return builder.objectRef<SpeechClip>('SpeechClip').implement({
    description: 'A speech synthesis, with the audio once it is known.',
    fields: (t) => ({
      url: t.expose('audioUrl', {
        type: 'URL',
        nullable: true,
        description: 'Null until it exists, and always if NOT_TRACKABLE.',
      }),
      durationSeconds: t.exposeFloat('durationSeconds', {
        nullable: true,
        description: 'Can be 0 before the audio exists.',
      }),
      model: t.exposeString('model', { nullable: true, description: 'Speech model.' }),
      text: t.exposeString('prompt', { nullable: true, description: 'As used.' }),
      seed: t.expose('seed', { type: 'BigInt', nullable: true, description: 'As used.' }),
      credits: t.expose('credits', {
        type: 'BigInt',
        nullable: true,
        description: "The gateway's credits.",
      }),
    }),
  });
}

export const speechClipOutput: OutputType<SpeechClip> = {
  type: 'speech-clip',
  ref: speechClipRef,
  assets: ({ audioUrl, durationSeconds }) =>
    audioUrl === undefined ? [] : [{ kind: 'AUDIO', url: audioUrl, durationSeconds }],
};
