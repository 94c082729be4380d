import { assetRef } from '../../graphql/asset.ts';
import type { OutputType } from '../../graphql/generation-output.ts';
import type { Graph } from '../../graphql/graph.ts';
import type { PredictionOutput } from './wire.ts';

function predictionOutputRef({ builder, use }: Graph) {
  return builder.objectRef<PredictionOutput>('PredictionOutput').implement({
    description: 'What a hosted model (/hosta) made.',
    fields: (t) => ({
      model: t.exposeString('model', { nullable: true, description: 'The model that ran.' }),
      version: t.exposeString('version', {
        nullable: true,
        description: "The model's version; may be the word `hidden`.",
      }),
      dataRemoved: t.exposeBoolean('dataRemoved', {
        nullable: true,
        description: 'Whether the gateway has deleted input and output. Wire name `data_removed`.',
      }),
      files: t.field({
        type: [use(assetRef)],
        description: 'The files in the output, wherever in it they stand: by address, or inline.',
        resolve: ({ files }) => [...files],
      }),
      value: t.expose('value', {
        type: 'JSON',
        nullable: true,
        description: 'The output as received, whatever its form.',
      }),
    }),
  });
}

export const predictionOutput: OutputType<PredictionOutput> = {
  type: 'prediction-output',
  ref: predictionOutputRef,
  assets: ({ files }) => files,
};
