import { countTokens } from '../chat/pieces.ts';
import type { PixelSize } from './sizes.ts';

const pixelsPerToken = 256;

/** The usage of set A, where images cost tokens by their area. */
export function toImageUsage(prompt: string, images: readonly PixelSize[]): Record<string, unknown> {
  const promptTokens = countTokens(prompt);
  const outputTokens = images.reduce(
    (sum, { width, height }) => sum + Math.ceil((width * height) / pixelsPerToken),
    0,
  );
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
    output_tokens: outputTokens,
    prompt_tokens_details: { cached_tokens_details: {} },
    completion_tokens_details: {},
  };
}
