import type { Choice, Reply } from '../chat/reply.ts';
import { toUrlMetadata } from './url-context.ts';

/** What every reply carries, whatever came of the request. */
export interface ContentHead {
  readonly modelVersion: string;
  readonly responseId: string;
}

export type ReplyPart =
  | { readonly text: string; readonly thought?: true }
  | { readonly inlineData: { readonly mimeType: string; readonly data: string } };

export interface Candidate {
  readonly parts: readonly ReplyPart[];
  readonly finishReason: 'STOP' | 'MAX_TOKENS';
}

export interface TokenCounts {
  readonly prompt: number;
  readonly candidates: number;
  readonly thoughts: number;
}

export interface ContentReply {
  readonly candidates: readonly Candidate[];
  readonly tokens: TokenCounts;
  /** The addresses that were looked at; undefined where that was not asked for. */
  readonly urls: readonly string[] | undefined;
}

export function toResponse(
  { candidates, tokens, urls = [] }: ContentReply,
  head: ContentHead,
): Record<string, unknown> {
  return {
    candidates: candidates.map(({ parts, finishReason }, index) => ({
      content: { role: 'model', parts },
      finishReason,
      index,
      safetyRatings,
      ...(urls.length > 0 && { urlContextMetadata: toUrlMetadata(urls) }),
    })),
    usageMetadata: toUsage(tokens),
    ...head,
  };
}

/** What is answered, under 200, to a prompt that the safety filters object to. */
export function toBlockedResponse(promptTokens: number, head: ContentHead): Record<string, unknown> {
  return {
    promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
    usageMetadata: { promptTokenCount: promptTokens, totalTokenCount: promptTokens },
    ...head,
  };
}

/** A choice of a chat as a candidate: its thoughts are a part of their own. */
export function toCandidate({ reasoning, content, finishReason }: Choice): Candidate {
  const thoughts: ReplyPart[] = reasoning.length > 0 ? [{ text: reasoning.join(''), thought: true }] : [];
  return {
    parts: [...thoughts, { text: content.join('') }],
    finishReason: finishReason === 'length' ? 'MAX_TOKENS' : 'STOP',
  };
}

export function countTokensOf({ usage }: Reply): TokenCounts {
  const { promptTokens, completionTokens, reasoningTokens } = usage;
  return {
    prompt: promptTokens,
    candidates: completionTokens - reasoningTokens,
    thoughts: reasoningTokens,
  };
}

export function sumTokens({ prompt, candidates, thoughts }: TokenCounts): number {
  return prompt + candidates + thoughts;
}

function toUsage(tokens: TokenCounts): Record<string, unknown> {
  return {
    promptTokenCount: tokens.prompt,
    candidatesTokenCount: tokens.candidates,
    totalTokenCount: sumTokens(tokens),
    ...(tokens.thoughts > 0 && { thoughtsTokenCount: tokens.thoughts }),
  };
}

const safetyRatings = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'].map((name) => ({
  category: `HARM_CATEGORY_${name}`,
  probability: 'NEGLIGIBLE',
}));
