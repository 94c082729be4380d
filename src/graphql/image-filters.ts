import type { ObjectRef } from '@pothos/core';
import type {
  ContentFilterResults,
  FilterVerdict,
  ProfanityVerdict,
  PromptFilterResults,
} from '../generations/image-set.ts';
import type { Types } from './builder.ts';
import type { Graph } from './graph.ts';
import { nullable } from './field-options.ts';

function filterVerdictRef({ builder }: Graph) {
  return builder.objectRef<FilterVerdict>('ImageFilterVerdict').implement({
    description: 'Verdict of a content filter on one category.',
    fields: (t) => ({
      isFiltered: t.exposeBoolean('filtered', nullable('Whether content was removed.')),
      severity: t.exposeString('severity', nullable('Severity as reported, e.g. `safe`.')),
    }),
  });
}

function profanityVerdictRef({ builder }: Graph) {
  return builder.objectRef<ProfanityVerdict>('ImageProfanityVerdict').implement({
    description: 'Verdict of a profanity filter.',
    fields: (t) => ({
      isDetected: t.exposeBoolean('detected', nullable('Whether profanity was found.')),
      isFiltered: t.exposeBoolean('filtered', nullable('Whether content was removed.')),
    }),
  });
}

export function contentFilterResultsRef(graph: Graph) {
  const ref = graph.builder.objectRef<ContentFilterResults>('ImageContentFilterResults').implement({
    description: 'Content filter verdicts on an image.',
  });
  addVerdicts(graph, ref);
  return ref;
}

export function promptFilterResultsRef(graph: Graph) {
  const { builder, use } = graph;
  const ref = builder.objectRef<PromptFilterResults>('ImagePromptFilterResults').implement({
    description: 'Content filter verdicts on a prompt.',
    fields: (t) => ({
      profanity: t.expose('profanity', { type: use(profanityVerdictRef), ...nullable('Profanity.') }),
    }),
  });
  addVerdicts(graph, ref);
  return ref;
}

/** Adds the categories of both types. */
function addVerdicts<Results extends ContentFilterResults>(
  { builder, use }: Graph,
  ref: ObjectRef<Types, Results>,
): void {
  const category = (description: string) =>
    ({ type: use(filterVerdictRef), nullable: true, description }) as const;
  builder.objectFields(ref, (t) => ({
    hate: t.field({ ...category('Hate.'), resolve: ({ hate }) => hate }),
    selfHarm: t.field({ ...category('Self-harm.'), resolve: ({ selfHarm }) => selfHarm }),
    sexual: t.field({ ...category('Sexual content.'), resolve: ({ sexual }) => sexual }),
    violence: t.field({ ...category('Violence.'), resolve: ({ violence }) => violence }),
  }));
}
