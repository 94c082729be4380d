import type { Capability } from '../../graphql/capability.ts';
import { speechOperations } from './operations.ts';
import { addCreateSpeech } from './schema.ts';
import { speechClipOutput } from './types.ts';
import { decodeSpeech, isSpeechRefusal } from './wire.ts';
import { speechLimits } from './limits.ts';

export const speech: Capability = {
  name: 'speech',
  kinds: {
    SPEECH: {
      description: 'Speech.',
      output: speechClipOutput,
      task: { decode: decodeSpeech, isRefusal: isSpeechRefusal },
    },
  },
  inputs: { CreateSpeechInput: speechLimits },
  operations: speechOperations,
  extend: addCreateSpeech,
};
