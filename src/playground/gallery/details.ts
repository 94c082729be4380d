import type { TypedText } from '../show-me/query-of.ts';

type TokenCount = number | string | null;

export interface Details {
  readonly input: unknown;
  readonly usage: Readonly<Record<'promptTokens' | 'completionTokens' | 'totalTokens', TokenCount>> | null;
  readonly canContinue: boolean;
  readonly collection: string | null;
}

interface ById {
  readonly [name: string]: unknown;
  readonly by: { readonly id: string };
}

/** What the page of one generation shows beside its state. */
export const detailsQuery: TypedText<{ readonly generation: Details | null }, ById> = {
  text: `query Details($by: GenerationSelector!) {
  generation(by: $by) {
    input
    usage { promptTokens completionTokens totalTokens }
    canContinue
    collection
  }
}`,
};

interface Reply {
  readonly output: {
    readonly text?: string | null;
    readonly choices?: readonly { readonly message: { readonly content: string | null } }[];
  } | null;
}

/** The text of a chat, or of native content. */
export const replyQuery: TypedText<{ readonly generation: Reply | null }, ById> = {
  text: `query Reply($by: GenerationSelector!) {
  generation(by: $by) {
    output {
      ... on ContentResponse { text }
      ... on ChatCompletion { choices { message { content } } }
    }
  }
}`,
};
