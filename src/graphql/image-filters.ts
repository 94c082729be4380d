import type { ObjectRef } from '@pothos/core';
import type {
  ContentFilterResults,
  FilterVerdict,
  ProfanityVerdict,
  PromptFilterResults,
} from '../generations/image-set.ts';
import type { Types } from './builder.ts';
import type { Graph } from './graph.ts';

function filterVerdictRef({ builder }: Graph) {
  return builder.objectRef<FilterVerdict>('ImageFilterVerdict').implement({
    description: 'What a filter says of one category of content.',
    fields: (t) => ({
      filtered: t.exposeBoolean('filtered', {
        nullable: true,
        description: 'Whether content was held back for it.',
      }),
      severity: t.exposeString('severity', {
        nullable: true,
        description: "How severe, in the gateway's words, e.g. `safe`.",
      }),
    }),
  });
}

function profanityVerdictRef({ builder }: Graph) {
  return builder.objectRef<ProfanityVerdict>('ImageProfanityVerdict').implement({
    description: 'What a filter says of bad language.',
    fields: (t) => ({
      detected: t.exposeBoolean('detected', {
        nullable: true,
        description: 'Whether bad language was found.',
      }),
      filtered: t.exposeBoolean('filtered', {
        nullable: true,
        description: 'Whether content was held back for it.',
      }),
    }),
  });
}

export function contentFilterResultsRef(graph: Graph) {
  const ref = graph.builder.objectRef<ContentFilterResults>('ImageContentFilterResults').implement({
    description: 'What the content filters say of an image; null in each category of which they say nothing.',
  });
  addVerdicts(graph, ref);
  return ref;
}

export function promptFilterResultsRef(graph: Graph) {
  const { builder, use } = graph;
  const ref = builder.objectRef<PromptFilterResults>('ImagePromptFilterResults').implement({
    description:
      "What the content filters say of an image's prompt; null in each category of which they say nothing.",
    fields: (t) => ({
      profanity: t.expose('profanity', {
        type: use(profanityVerdictRef),
        nullable: true,
        description: 'What they say of bad language.',
      }),
    }),
  });
  addVerdicts(graph, ref);
  return ref;
}

/** Adds the categories that both types have. */
function addVerdicts<Results extends ContentFilterResults>(
  { builder, use }: Graph,
  ref: ObjectRef<Types, Results>,
): void {
  builder.objectFields(ref, (t) => ({
    hate: t.field({
      type: use(filterVerdictRef),
      nullable: true,
      description: 'What they say of hate.',
      resolve: ({ hate }) => hate,
    }),
    selfHarm: t.field({
      type: use(filterVerdictRef),
      nullable: true,
      description: 'What they say of self-harm. Wire name `self_harm`.',
      resolve: ({ selfHarm }) => selfHarm,
    }),
    sexual: t.field({
      type: use(filterVerdictRef),
      nullable: true,
      description: 'What they say of sexual content.',
      resolve: ({ sexual }) => sexual,
    }),
    violence: t.field({
      type: use(filterVerdictRef),
      nullable: true,
      description: 'What they say of violence.',
      resolve: ({ violence }) => violence,
    }),
  }));
}
