import type { Host } from './site.ts';

export interface RecordedChat {
  readonly prompt: string | null;
  readonly collection: string | null;
  readonly status: string;
  readonly content: string;
  /** Arguments of its calls of tools. */
  readonly calls: string;
  /** In milliseconds since 1970. NaN until then. */
  readonly finishedAt: number;
}

interface Message {
  readonly content: string | null;
  readonly toolCalls: readonly { readonly arguments: string | null }[] | null;
}

interface RecordedNode {
  readonly prompt: string | null;
  readonly collection: string | null;
  readonly status: string;
  readonly finishedAt: string | null;
  readonly output: { readonly choices: readonly { readonly message: Message }[] } | null;
}

const query = `query Record {
  generations(first: 100) {
    edges { node { prompt collection status finishedAt output { ... on ChatCompletion { choices { message { content toolCalls { arguments } } } } } } }
  }
}`;

/** The chats in the records of the program, oldest first. */
export async function readRecordedChats({ api }: Pick<Host, 'api'>): Promise<readonly RecordedChat[]> {
  interface Answer {
    readonly generations: { readonly edges: readonly { readonly node: RecordedNode }[] };
  }
  const { data } = await api.run<Answer, object>(query);
  return (data?.generations.edges ?? [])
    .map(({ node: { output, finishedAt, ...chat } }) => {
      const { content, toolCalls } = output?.choices[0]?.message ?? {};
      return {
        ...chat,
        content: content ?? '',
        calls: (toolCalls ?? []).map((call) => call.arguments ?? '').join(''),
        finishedAt: Date.parse(finishedAt ?? ''),
      };
    })
    .toReversed();
}
