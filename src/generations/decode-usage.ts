import { asCount, asJsonObject, asRecord, isRecord } from '../lib/json.ts';
import type { GenerationUsage } from '../store/records.ts';

/** Decodes token usage with the member names of chat completions. Undefined when the value is not an object, or an empty one. */
export function decodeUsage(value: unknown): GenerationUsage | undefined {
  if (!isRecord(value) || Object.keys(value).length === 0) return undefined;
  return {
    promptTokens: asCount(value['prompt_tokens'] ?? value['input_tokens']),
    completionTokens: asCount(value['completion_tokens'] ?? value['output_tokens']),
    outputTokens: asCount(value['output_tokens']),
    totalTokens: asCount(value['total_tokens']),
    cachedTokens: asCount(asRecord(value['prompt_tokens_details'])?.['cached_tokens']),
    reasoningTokens: asCount(asRecord(value['completion_tokens_details'])?.['reasoning_tokens']),
    promptTokensDetails: asJsonObject(value['prompt_tokens_details']),
    completionTokensDetails: asJsonObject(value['completion_tokens_details']),
    raw: asJsonObject(value),
  };
}
