/** The model's answer to one request. It is then sent as one document or as a stream. */
export interface Reply {
  readonly choices: readonly Choice[];
  readonly usage: Usage;
}

export interface Choice {
  readonly index: number;
  /** Texts are lists of tokens, so that a stream and a whole reply have the same text. */
  readonly reasoning: readonly string[];
  readonly content: readonly string[];
  readonly calls: readonly ToolCall[];
  /** Whether the request has `functions`, the older form of tools. */
  readonly isLegacy: boolean;
  readonly annotations: readonly Annotation[];
  /** Data URIs. @default none */
  readonly images?: readonly string[];
  readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'function_call';
}

/** What an image of a reply counts. */
export const tokensPerImage = 1290;

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: readonly string[];
}

export interface Annotation {
  readonly type: 'url_citation';
  readonly url_citation: {
    readonly start_index: number;
    readonly end_index: number;
    readonly url: string;
    readonly title: string;
  };
}

export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** How many tokens a choice has. */
export function countChoiceTokens({ reasoning, content, calls }: Choice): number {
  return reasoning.length + content.length + sum(calls.map((call) => call.arguments.length));
}

/** How many tokens the longest choice has. It determines the duration, because all choices stream in parallel. */
export function countLongest({ choices }: Reply): number {
  return Math.max(...choices.map(countChoiceTokens));
}
