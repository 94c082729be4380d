import type { Graph } from '../../graphql/graph.ts';
import { createArguments, createGenerationResultRef, toCreateCall } from '../../graphql/create.ts';
import { createTask } from '../../tasks/create-task.ts';
import { speechPath, toSpeechBody } from './client.ts';
import { createSpeechInput } from './inputs.ts';
import { speechLimits } from './limits.ts';
import { decodeSpeechAcknowledgement, isSpeechRefusal } from './wire.ts';

export function addCreateSpeech({ builder, use }: Graph): void {
  builder.mutationField('createSpeech', (t) =>
    t.field({
      type: use(createGenerationResultRef),
      nullable: true,
      description: 'Creates speech from text.',
      args: {
        input: t.arg({ type: use(createSpeechInput), required: true }),
        ...use(createArguments),
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
}
