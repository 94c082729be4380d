import type { ReplyMembers } from './reply-members.ts';

const usage = {
  prompt_tokens: 11,
  completion_tokens: 12,
  total_tokens: 23,
  output_tokens: 13,
  prompt_tokens_details: { cached_tokens_details: {} },
  completion_tokens_details: {},
};
const usageMembers = {
  'usage.prompt_tokens': 'GenerationUsage.promptTokens',
  'usage.completion_tokens': 'GenerationUsage.completionTokens',
  'usage.total_tokens': 'GenerationUsage.totalTokens',
  'usage.output_tokens': 'GenerationUsage.outputTokens',
  'usage.prompt_tokens_details': 'GenerationUsage.promptTokensDetails',
  'usage.completion_tokens_details': 'GenerationUsage.completionTokensDetails',
};

const verdict = { filtered: true, severity: 'safe' };
const verdicts = { hate: verdict, self_harm: verdict, sexual: verdict, violence: verdict };

function verdictMembers(wire: string, field: string): Readonly<Record<string, string>> {
  const categories = [
    ['hate', 'hate'],
    ['self_harm', 'selfHarm'],
    ['sexual', 'sexual'],
    ['violence', 'violence'],
  ] as const;
  return Object.fromEntries(
    categories.flatMap(([name, graphName]) => [
      [`${wire}.${name}.filtered`, `${field}.${graphName}.isFiltered`],
      [`${wire}.${name}.severity`, `${field}.${graphName}.severity`],
    ]),
  );
}

export const imageReplies: readonly ReplyMembers[] = [
  {
    endpoint: 2,
    field: 'createImage',
    variant: 'byResolution',
    args: { input: { byResolution: { model: 'seedream-4', prompt: 'a fox' } } },
    isDocumented: true,
    reply: {
      created: 1_763_654_400,
      data: [{ url: 'https://example.com/1.jpg' }, { b64_json: 'AAAA' }],
      usage,
    },
    members: {
      created: 'ImageSet.createdAt',
      'data[].url': 'ImageSet.images[].url',
      'data[].b64_json': 'ImageSet.images[].base64',
      ...usageMembers,
    },
  },
  {
    endpoint: 2,
    field: 'createImage',
    variant: 'byCount',
    args: { input: { byCount: { prompt: 'a fox' } } },
    isDocumented: true,
    reply: {
      created: 1_763_654_400,
      data: [
        {
          url: 'https://example.com/1.png',
          revised_prompt: 'a red fox',
          content_filter_results: verdicts,
          prompt_filter_results: { ...verdicts, profanity: { detected: false, filtered: true } },
        },
        { b64_json: 'AAAA' },
      ],
    },
    members: {
      created: 'ImageSet.createdAt',
      'data[].url': 'ImageSet.images[].url',
      'data[].b64_json': 'ImageSet.images[].base64',
      'data[].revised_prompt': 'ImageSet.images[].revisedPrompt',
      ...verdictMembers('data[].content_filter_results', 'ImageSet.images[].contentFilterResults'),
      ...verdictMembers('data[].prompt_filter_results', 'ImageSet.images[].promptFilterResults'),
      'data[].prompt_filter_results.profanity.detected':
        'ImageSet.images[].promptFilterResults.profanity.isDetected',
      'data[].prompt_filter_results.profanity.filtered':
        'ImageSet.images[].promptFilterResults.profanity.isFiltered',
    },
  },
];
