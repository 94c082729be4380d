import type { Graph } from '../../graphql/graph.ts';
import { createArguments, createGenerationResultRef, toCreateCall } from '../../graphql/create.ts';
import { createNow } from '../../generations/create-now.ts';
import { imagesPath, toImageBody } from './client.ts';
import { createImageInput } from './inputs.ts';
import { createImageLimits } from './limits.ts';
import { decodeByResolutionReply, decodeByCountReply } from './wire.ts';

export function addCreateImage({ builder, use }: Graph): void {
  builder.mutationField('createImage', (t) =>
    t.field({
      type: use(createGenerationResultRef),
      nullable: true,
      description: 'Creates images and waits for them. A reply without images returns a FAILED generation.',
      args: {
        input: t.arg({ type: use(createImageInput), required: true }),
        ...use(createArguments),
      },
      resolve: (_root, { input, ...args }, context, info) =>
        createNow(toCreateCall(args, context, info), {
          kind: 'IMAGE',
          input,
          limits: createImageLimits,
          model: (input.byResolution ?? input.byCount).model ?? undefined,
          prompt: (input.byResolution ?? input.byCount).prompt,
          path: imagesPath,
          toBody: toImageBody,
          decode: (reply) => {
            const decode = input.byResolution ? decodeByResolutionReply : decodeByCountReply;
            return decode(reply, (address) => context.engine.gateway.resolve(address, imagesPath));
          },
        }),
    }),
  );
}
