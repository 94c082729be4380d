import type { ChatSettings } from '@gengraph/client/ai-sdk';

/** Tools that the model may call, and that this page runs. */
export const tools: NonNullable<ChatSettings['tools']> = [
  {
    function: {
      name: 'weather',
      description: 'The weather in a city.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];

export function answerTool({ toolName, toolCallId }: { toolName: string; toolCallId: string }) {
  return { tool: toolName, toolCallId, output: { celsius: 21, sky: 'clear' } };
}
