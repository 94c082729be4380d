import './types.ts';
import { builder } from '../../graphql/builder.ts';
import { createArguments, CreateGenerationResultRef, toCreateCall } from '../../graphql/create.ts';
import { createNow } from '../../generations/create-now.ts';
import { generateContentPath, promptOf, toContentBody } from './client.ts';
import { GenerateContentInput } from './inputs.ts';
import { generateContentLimits } from './limits.ts';
import { decodeContentReply } from './wire.ts';

builder.mutationField('generateContent', (t) =>
  t.field({
    type: CreateGenerationResultRef,
    description:
      'Makes content in the native format and waits for it (POST /v1beta/models/{model_id}:generateContent): a `ContentResponse`. A blocked prompt is a generation that FAILED, with the reason as `upstreamCode`.',
    args: {
      input: t.arg({ type: GenerateContentInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    resolve: (_root, { input, ...args }, context, info) =>
      createNow(toCreateCall(args, context, info), {
        kind: 'CONTENT',
        input,
        limits: generateContentLimits,
        model: input.modelId,
        prompt: promptOf(input),
        path: generateContentPath,
        form: 'key-query',
        toBody: toContentBody,
        decode: decodeContentReply,
      }),
  }),
);
