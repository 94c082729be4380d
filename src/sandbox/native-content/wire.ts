import type { Choice, Usage } from '../chat/reply.ts';
import { toUrlMetadata } from './url-context.ts';

type Wire = Readonly<Record<string, unknown>>;

/** The members that every reply has. */
export interface ContentHead {
  readonly modelVersion: string;
  readonly responseId: string;
}

export interface Candidate {
  readonly parts: readonly Wire[];
  readonly finishReason: 'STOP' | 'MAX_TOKENS';
}

export interface ContentReply {
  readonly candidates: readonly Candidate[];
  readonly usage: Usage;
  /** The addresses that count as read, if the request enables URL context. */
  readonly urls: readonly string[];
}

export function toResponse({ candidates, usage, urls }: ContentReply, head: ContentHead): Wire {
  const { promptTokens, completionTokens, reasoningTokens } = usage;
  return {
    candidates: candidates.map(({ parts, finishReason }, index) => ({
      content: { role: 'model', parts },
      finishReason,
      index,
      safetyRatings,
      ...(urls.length > 0 && { urlContextMetadata: toUrlMetadata(urls) }),
    })),
    usageMetadata: {
      promptTokenCount: promptTokens,
      candidatesTokenCount: completionTokens - reasoningTokens,
      totalTokenCount: promptTokens + completionTokens,
      ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
    },
    ...head,
  };
}

/** The answer, under 200, to a prompt that the safety filters refuse. */
export function toBlockedResponse(promptTokens: number, head: ContentHead): Wire {
  return {
    promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
    usageMetadata: { promptTokenCount: promptTokens, totalTokenCount: promptTokens },
    ...head,
  };
}

/** A choice of a chat as a candidate; its thoughts are a part of their own. */
export function toCandidate({ reasoning, content, finishReason }: Choice): Candidate {
  const thoughts = reasoning.length > 0 ? [{ text: reasoning.join(''), thought: true }] : [];
  return {
    parts: [...thoughts, { text: content.join('') }],
    finishReason: finishReason === 'length' ? 'MAX_TOKENS' : 'STOP',
  };
}

const safetyRatings = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'].map((name) => ({
  category: `HARM_CATEGORY_${name}`,
  probability: 'NEGLIGIBLE',
}));
