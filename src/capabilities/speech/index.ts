import type { Capability } from '../../graphql/capability.ts';
import { isTaskRefusal } from '../../tasks/task-record.ts';
import { addCreateSpeech } from './schema.ts';
import { speechClipOutput } from './types.ts';
import { decodeSpeech } from './wire.ts';
import { speechLimits } from './limits.ts';

const greeting = {
  text: 'The lamp is lit.<#0.8#>Good evening, and mind the stairs.',
  voice: { id: 'en-us-ava' },
};

export const speech: Capability = {
  name: 'speech',
  kinds: {
    SPEECH: {
      description: 'Speech.',
      output: speechClipOutput,
      task: { decode: decodeSpeech, isRefusal: isTaskRefusal },
    },
  },
  inputs: { CreateSpeechInput: speechLimits },
  operations: [{ name: 'create-speech', variables: { input: greeting } }],
  extend: addCreateSpeech,
};
