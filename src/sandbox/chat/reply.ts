/** One answer of the model as a whole, before it is sent in one piece or streamed. */
export interface Reply {
  readonly choices: readonly Choice[];
  readonly usage: Usage;
}

export interface Choice {
  readonly index: number;
  /** Texts are kept in tokens, so that a stream and a whole reply are the same to the byte. */
  readonly reasoning: readonly string[];
  readonly content: readonly string[];
  readonly toolCalls: readonly ToolCall[];
  /** The older form of a tool call, where the request used the older form of tools. */
  readonly functionCall: Omit<ToolCall, 'id'> | undefined;
  readonly annotations: readonly Annotation[];
  readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'function_call';
}

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

/** How many tokens a choice is made of. */
export function countChoiceTokens({ reasoning, content, toolCalls, functionCall }: Choice): number {
  const calls = functionCall ? [...toolCalls, functionCall] : toolCalls;
  return calls.reduce((sum, call) => sum + call.arguments.length, reasoning.length + content.length);
}

export function toWireUsage({
  promptTokens,
  completionTokens,
  reasoningTokens,
}: Usage): Record<string, unknown> {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}
