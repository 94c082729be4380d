import { builder } from './builder.ts';

/** What a filter says of one category of content. */
export interface FilterVerdict {
  readonly filtered?: boolean | undefined;
  readonly severity?: string | undefined;
}

export interface ContentFilterResults {
  readonly hate?: FilterVerdict | undefined;
  readonly selfHarm?: FilterVerdict | undefined;
  readonly sexual?: FilterVerdict | undefined;
  readonly violence?: FilterVerdict | undefined;
}

export interface ProfanityVerdict {
  readonly detected?: boolean | undefined;
  readonly filtered?: boolean | undefined;
}

export interface PromptFilterResults extends ContentFilterResults {
  readonly profanity?: ProfanityVerdict | undefined;
}

const FilterVerdictRef = builder.objectRef<FilterVerdict>('ImageFilterVerdict').implement({
  description: 'What a filter says of one category of content.',
  fields: (t) => ({
    filtered: t.exposeBoolean('filtered', { nullable: true, description: 'Whether it was held back.' }),
    severity: t.exposeString('severity', {
      nullable: true,
      description: "How severe, in the gateway's words, e.g. `safe`.",
    }),
  }),
});

const ProfanityVerdictRef = builder.objectRef<ProfanityVerdict>('ImageProfanityVerdict').implement({
  description: 'What a filter says of bad language.',
  fields: (t) => ({
    detected: t.exposeBoolean('detected', { nullable: true, description: 'Whether there is any.' }),
    filtered: t.exposeBoolean('filtered', { nullable: true, description: 'Whether it was held back.' }),
  }),
});

export const ContentFilterResultsRef = builder
  .objectRef<ContentFilterResults>('ImageContentFilterResults')
  .implement({
    description: 'What the filters say of an image. Null where they say nothing.',
    fields: (t) => ({
      hate: t.expose('hate', { type: FilterVerdictRef, nullable: true, description: 'Hate.' }),
      selfHarm: t.expose('selfHarm', {
        type: FilterVerdictRef,
        nullable: true,
        description: 'Self-harm. Wire name `self_harm`.',
      }),
      sexual: t.expose('sexual', { type: FilterVerdictRef, nullable: true, description: 'Sexual content.' }),
      violence: t.expose('violence', { type: FilterVerdictRef, nullable: true, description: 'Violence.' }),
    }),
  });

export const PromptFilterResultsRef = builder
  .objectRef<PromptFilterResults>('ImagePromptFilterResults')
  .implement({
    description: "What the filters say of an image's prompt. Null where they say nothing.",
    fields: (t) => ({
      hate: t.expose('hate', { type: FilterVerdictRef, nullable: true, description: 'Hate.' }),
      selfHarm: t.expose('selfHarm', {
        type: FilterVerdictRef,
        nullable: true,
        description: 'Self-harm. Wire name `self_harm`.',
      }),
      sexual: t.expose('sexual', { type: FilterVerdictRef, nullable: true, description: 'Sexual content.' }),
      violence: t.expose('violence', { type: FilterVerdictRef, nullable: true, description: 'Violence.' }),
      profanity: t.expose('profanity', {
        type: ProfanityVerdictRef,
        nullable: true,
        description: 'Bad language.',
      }),
    }),
  });
