import type { ObjectRef } from '@pothos/core';
import type {
  ContentFilterResults,
  FilterVerdict,
  ProfanityVerdict,
  PromptFilterResults,
} from '../generations/image-set.ts';
import { builder } from './builder.ts';

const FilterVerdictRef = builder.objectRef<FilterVerdict>('ImageFilterVerdict').implement({
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

const ProfanityVerdictRef = builder.objectRef<ProfanityVerdict>('ImageProfanityVerdict').implement({
  description: 'What a filter says of bad language.',
  fields: (t) => ({
    detected: t.exposeBoolean('detected', { nullable: true, description: 'Whether bad language was found.' }),
    filtered: t.exposeBoolean('filtered', {
      nullable: true,
      description: 'Whether content was held back for it.',
    }),
  }),
});

export const ContentFilterResultsRef = builder
  .objectRef<ContentFilterResults>('ImageContentFilterResults')
  .implement({
    description: 'What the content filters say of an image; null in each category of which they say nothing.',
  });

export const PromptFilterResultsRef = builder
  .objectRef<PromptFilterResults>('ImagePromptFilterResults')
  .implement({
    description:
      "What the content filters say of an image's prompt; null in each category of which they say nothing.",
    fields: (t) => ({
      profanity: t.expose('profanity', {
        type: ProfanityVerdictRef,
        nullable: true,
        description: 'What they say of bad language.',
      }),
    }),
  });

addVerdicts(ContentFilterResultsRef);
addVerdicts(PromptFilterResultsRef);

/** The categories that both name. */
function addVerdicts<Results extends ContentFilterResults>(
  ref: ObjectRef<typeof builder.$inferSchemaTypes, Results>,
): void {
  builder.objectFields(ref, (t) => ({
    hate: t.field({
      type: FilterVerdictRef,
      nullable: true,
      description: 'What they say of hate.',
      resolve: ({ hate }) => hate,
    }),
    selfHarm: t.field({
      type: FilterVerdictRef,
      nullable: true,
      description: 'What they say of self-harm. Wire name `self_harm`.',
      resolve: ({ selfHarm }) => selfHarm,
    }),
    sexual: t.field({
      type: FilterVerdictRef,
      nullable: true,
      description: 'What they say of sexual content.',
      resolve: ({ sexual }) => sexual,
    }),
    violence: t.field({
      type: FilterVerdictRef,
      nullable: true,
      description: 'What they say of violence.',
      resolve: ({ violence }) => violence,
    }),
  }));
}
