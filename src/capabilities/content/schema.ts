import type { Graph } from '../../graphql/graph.ts';
import { addCreate } from '../../graphql/create.ts';
import { createNow } from '../../generations/create-now.ts';
import { generateContentPath, promptOf, toContentBody } from './client.ts';
import { generateContentInput } from './inputs.ts';
import { generateContentLimits } from './limits.ts';
import { decodeContentReply } from './wire.ts';

export function addGenerateContent(graph: Graph): void {
  addCreate(graph, 'generateContent', {
    description:
      'Creates content in the native format (`contents` of `parts`) and waits for it. A blocked prompt returns a FAILED generation with the reason in `upstreamCode`.',
    input: generateContentInput,
    create: createNow({
      kind: 'CONTENT',
      limits: generateContentLimits,
      model: ({ model }) => model,
      prompt: promptOf,
      path: generateContentPath,
      form: 'key-query',
      toBody: toContentBody,
      decode: decodeContentReply,
    }),
  });
}
