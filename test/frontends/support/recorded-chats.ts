import type { Site } from './site.ts';

export interface RecordedChat {
  readonly status: string;
  readonly error: { readonly code: string } | null;
  readonly text: string;
}

interface Answer {
  readonly generations: {
    readonly edges: readonly {
      readonly node: Omit<RecordedChat, 'text'> & {
        readonly output: {
          readonly choices: readonly { readonly message: { readonly content: string } }[];
        } | null;
      };
    }[];
  };
}

/** The chats in the records of the program, newest first. */
export async function readRecordedChats({ api }: Site): Promise<readonly RecordedChat[]> {
  const { data } = await api.run<Answer, object>(
    '{ generations(first: 100) { edges { node { status error { code } output { ... on ChatCompletion { choices { message { content } } } } } } } }',
  );
  return (data?.generations.edges ?? []).map(({ node: { output, ...chat } }) => ({
    ...chat,
    text: output?.choices[0]?.message.content ?? '',
  }));
}
