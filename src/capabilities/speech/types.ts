import type { OutputType } from '../../graphql/generation-output.ts';
import type { Graph } from '../../graphql/graph.ts';
import type { SpeechClip } from './wire.ts';

function speechClipRef({ builder }: Graph) {
  return builder.objectRef<SpeechClip>('SpeechClip').implement({
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
}

export const speechClipOutput: OutputType<SpeechClip> = {
  type: 'speech-clip',
  ref: speechClipRef,
  assets: ({ audioUrl, durationSeconds }) =>
    audioUrl === undefined ? [] : [{ kind: 'AUDIO', url: audioUrl, durationSeconds }],
};
