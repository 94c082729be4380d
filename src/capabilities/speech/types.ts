import type { OutputType } from '../../graphql/generation-output.ts';
import type { Graph } from '../../graphql/graph.ts';
import { nullable } from '../../graphql/field-options.ts';
import type { SpeechClip } from './wire.ts';

function speechClipRef({ builder }: Graph) {
  return builder.objectRef<SpeechClip>('SpeechClip').implement({
    description: 'A speech synthesis, with the audio once it is known.',
    fields: (t) => ({
      url: t.expose('audioUrl', {
        type: 'URL',
        ...nullable('Null until it exists, and always if NOT_TRACKABLE.'),
      }),
      durationSeconds: t.exposeFloat('durationSeconds', nullable('Can be 0 before the audio exists.')),
      model: t.exposeString('model', nullable('Speech model.')),
      text: t.exposeString('prompt', nullable('As used.')),
      seed: t.expose('seed', { type: 'BigInt', ...nullable('As used.') }),
      credits: t.expose('credits', { type: 'BigInt', ...nullable("The gateway's credits.") }),
    }),
  });
}

export const speechClipOutput: OutputType<SpeechClip> = {
  type: 'speech-clip',
  ref: speechClipRef,
  assets: ({ audioUrl, durationSeconds }) =>
    audioUrl === undefined ? [] : [{ kind: 'AUDIO', url: audioUrl, durationSeconds }],
};
