import { withIndexes } from '../../generations/asset.ts';
import { assetRef } from '../../graphql/asset.ts';
import type { OutputType } from '../../graphql/generation-output.ts';
import type { Graph } from '../../graphql/graph.ts';
import { nullable } from '../../graphql/field-options.ts';
import type { PredictionOutput } from './wire.ts';

function predictionOutputRef({ builder, use }: Graph) {
  return builder.objectRef<PredictionOutput>('PredictionOutput').implement({
    description: 'Output of a hosted model.',
    fields: (t) => ({
      model: t.exposeString('model', nullable('As the gateway names it.')),
      modelVersion: t.exposeString('version', nullable('May be `hidden`.')),
      isDataRemoved: t.exposeBoolean(
        'dataRemoved',
        nullable('Whether the gateway has deleted input and output.'),
      ),
      files: t.field({
        type: [use(assetRef)],
        description: 'All files in the output, as URLs or inline.',
        resolve: ({ files }) => withIndexes(files),
      }),
      value: t.expose('value', { type: 'JSON', ...nullable('The output as received.') }),
    }),
  });
}

export const predictionOutput: OutputType<PredictionOutput> = {
  type: 'prediction-output',
  ref: predictionOutputRef,
  assets: ({ files }) => files,
};
