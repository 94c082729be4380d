import type { Graph } from '../../graphql/graph.ts';
import { createArguments, createGenerationResultRef, toCreateCall } from '../../graphql/create.ts';
import { createNow } from '../../generations/create-now.ts';
import { generateContentPath, promptOf, toContentBody } from './client.ts';
import { generateContentInput } from './inputs.ts';
import { generateContentLimits } from './limits.ts';
import { decodeContentReply } from './wire.ts';

export function addGenerateContent({ builder, use }: Graph): void {
  builder.mutationField('generateContent', (t) =>
    t.field({
      type: use(createGenerationResultRef),
      nullable: true,
      description:
        'Creates content in the native format (`contents` of `parts`) and waits for it. A blocked prompt returns a FAILED generation with the reason in `upstreamCode`.',
      args: {
        input: t.arg({ type: use(generateContentInput), required: true }),
        ...use(createArguments),
      },
      resolve: (_root, { input, ...args }, context, info) =>
        createNow(toCreateCall(args, context, info), {
          kind: 'CONTENT',
          input,
          limits: generateContentLimits,
          model: input.model,
          prompt: promptOf(input),
          path: generateContentPath,
          form: 'key-query',
          toBody: toContentBody,
          decode: decodeContentReply,
        }),
    }),
  );
}
