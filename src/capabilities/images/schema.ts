import type { Graph } from '../../graphql/graph.ts';
import { addCreate } from '../../graphql/create.ts';
import { createNow } from '../../generations/create-now.ts';
import { imagesPath, toImageBody } from './client.ts';
import { createImageInput } from './inputs.ts';
import { createImageLimits } from './limits.ts';
import { decodeByResolutionReply, decodeByCountReply } from './wire.ts';

export function addCreateImage(graph: Graph): void {
  addCreate(graph, 'createImage', {
    description: 'Creates images and waits for them. A reply without images returns a FAILED generation.',
    input: createImageInput,
    create: createNow({
      kind: 'IMAGE',
      limits: createImageLimits,
      model: (input) => (input.byResolution ?? input.byCount).model ?? undefined,
      prompt: (input) => (input.byResolution ?? input.byCount).prompt,
      path: imagesPath,
      toBody: toImageBody,
      decode: (reply, { byResolution }, { engine }) => {
        const decode = byResolution ? decodeByResolutionReply : decodeByCountReply;
        return decode(reply, (address) => engine.gateway.resolve(address, imagesPath));
      },
    }),
  });
}
