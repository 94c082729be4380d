/** The members of one reply of the gateway, and the fields that return them. */
export interface ReplyMembers {
  /** Number in the gateway's document, section "Endpoints". */
  readonly endpoint: number;
  readonly field: string;
  /** Present when one root field has several replies. */
  readonly variant?: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Whether the gateway's document shows the reply. Otherwise it is a common shape, and others are read too. */
  readonly isDocumented: boolean;
  /** Has every member. */
  readonly reply: unknown;
  /**
   * Field of every member, by path in the reply: `ImageSet.images[].url` of `data[].url`. Null when only `raw` has it. A
   * member without listed children may have any content.
   */
  readonly members: Readonly<Record<string, string | null>>;
}

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
    categories.flatMap(([name, graphName]) =>
      ['filtered', 'severity'].map((part) => [`${wire}.${name}.${part}`, `${field}.${graphName}.${part}`]),
    ),
  );
}

const imageReplies: readonly ReplyMembers[] = [
  {
    endpoint: 2,
    field: 'createImage',
    variant: 'resolutionAndGroup',
    args: { input: { resolutionAndGroup: { model: 'seedream-4', prompt: 'a fox' } } },
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
    variant: 'countQualityStyle',
    args: { input: { countQualityStyle: { prompt: 'a fox' } } },
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
        'ImageSet.images[].promptFilterResults.profanity.detected',
      'data[].prompt_filter_results.profanity.filtered':
        'ImageSet.images[].promptFilterResults.profanity.filtered',
    },
  },
];

const prediction = {
  isDocumented: true,
  reply: {
    id: 'p-1',
    model: 'studio/animation',
    version: 'hidden',
    input: { prompt: 'a fox' },
    logs: 'started',
    output: ['https://example.com/1.gif'],
    data_removed: false,
    error: null,
    status: 'succeeded',
    created_at: '2026-11-20T16:00:00.000Z',
    urls: {
      cancel: 'https://example.com/p-1/cancel',
      get: 'https://example.com/p-1',
      stream: 'https://example.com/p-1/stream',
      web: 'https://example.com/p-1.html',
    },
  },
  members: {
    id: 'Task.upstreamId',
    model: 'Task.model',
    version: 'Task.modelVersion',
    input: 'Task.request',
    logs: 'Task.logs',
    output: 'PredictionOutput.value',
    data_removed: 'Task.dataRemoved',
    error: 'Task.error.message',
    status: 'Task.rawStatus',
    created_at: 'Task.createdAt',
    'urls.cancel': 'Task.links.cancel',
    'urls.get': 'Task.links.get',
    'urls.stream': 'Task.links.stream',
    'urls.web': 'Task.links.web',
  },
} as const;

const acknowledgement = {
  isDocumented: true,
  reply: {
    status: 'IN_QUEUE',
    request_id: 'r-1',
    response_url: 'https://example.com/r-1',
    status_url: 'https://example.com/r-1/status',
    cancel_url: 'https://example.com/r-1/cancel',
    logs: null,
    metrics: { inference_time: 1 },
    queue_position: 3,
  },
  members: {
    status: 'Task.rawStatus',
    request_id: 'Task.upstreamId',
    response_url: 'Task.links.get',
    status_url: 'Task.links.status',
    cancel_url: 'Task.links.cancel',
    logs: 'Task.logs',
    metrics: 'Task.metrics',
    queue_position: 'Task.queuePosition',
  },
} as const;

const taskReplies: readonly ReplyMembers[] = [
  {
    endpoint: 3,
    field: 'createSpeech',
    args: { input: { text: 'Hello.', voice: { id: 'en-us-ava' } } },
    isDocumented: true,
    reply: {
      task_id: 't-1',
      state: 'created',
      model: 'speech-1',
      prompt: 'Hello.',
      duration: 3,
      seed: 7,
      created_at: '2026-11-20T16:00:00.000Z',
      credits: 12,
    },
    members: {
      task_id: 'Task.upstreamId',
      state: 'Task.rawStatus',
      model: 'SpeechClip.model',
      prompt: 'SpeechClip.text',
      duration: 'SpeechClip.durationSeconds',
      seed: 'SpeechClip.seed',
      created_at: 'Task.createdAt',
      credits: 'SpeechClip.credits',
    },
  },
  {
    ...prediction,
    endpoint: 4,
    field: 'createAnimation',
    args: { input: { modelVersion: 'v', promptStart: 'a', promptEnd: 'b' } },
  },
  {
    ...prediction,
    endpoint: 5,
    field: 'fillImage',
    args: {
      input: {
        modelOwner: 'o',
        modelName: 'm',
        prompt: 'a fox',
        image: 'https://example.com/a.png',
        mask: 'https://example.com/b.png',
      },
    },
  },
  {
    endpoint: 6,
    field: 'createVideo',
    args: { input: { withCharacter: { model: 'sora-2', prompt: 'a fox', size: 'SMALL' } } },
    isDocumented: true,
    reply: { id: 'sora-2:t-1', status: 'pending', status_update_time: 4_102_444_800 },
    members: { id: 'Task.upstreamId', status: 'Task.rawStatus', status_update_time: 'Task.updatedAt' },
  },
  {
    ...acknowledgement,
    endpoint: 13,
    field: 'queueInpainting',
    args: {
      input: { prompt: 'a fox', image: 'https://example.com/a.png', mask: 'https://example.com/b.png' },
    },
  },
  { ...acknowledgement, endpoint: 14, field: 'queueImage', args: { input: { prompt: 'a fox' } } },
  {
    endpoint: 15,
    field: 'taskByHandle',
    args: { handle: { kind: 'QUEUED_IMAGE', upstreamId: 'r-1' } },
    isDocumented: true,
    reply: {
      seed: 7,
      images: [
        { url: 'https://example.com/1.png', width: 640, height: 480, content_type: 'image/png' },
        { url: 'https://example.com/2.png', width: 640, height: 480, content_type: 'image/png' },
      ],
      prompt: 'a fox',
      request: { num_images: 2 },
      timings: { inference: 1.5 },
      has_nsfw_concepts: [false, true],
    },
    members: {
      seed: 'ImageSet.seed',
      'images[].url': 'ImageSet.images[].url',
      'images[].width': 'ImageSet.images[].width',
      'images[].height': 'ImageSet.images[].height',
      'images[].content_type': 'ImageSet.images[].contentType',
      prompt: 'ImageSet.prompt',
      request: 'ImageSet.request',
      timings: 'ImageSet.timings',
      'has_nsfw_concepts[]': 'ImageSet.images[].isNsfw',
    },
  },
];

/** Replies that the gateway's document does not show, in a common shape. */
const otherReplies: readonly ReplyMembers[] = [
  {
    endpoint: 1,
    field: 'createChatCompletion',
    args: { input: { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'Hello.' } }] } },
    isDocumented: false,
    reply: {
      id: 'chat-1',
      model: 'gpt-4o-1',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: 'Let me check.',
            reasoning_content: 'A tool knows.',
            refusal: 'no',
            tool_calls: [{ index: 0, id: 'call-1', function: { name: 'look', arguments: '{}' } }],
            function_call: { name: 'look', arguments: '{}' },
          },
        },
      ],
      usage: {
        prompt_tokens: 11,
        completion_tokens: 12,
        total_tokens: 23,
        prompt_tokens_details: { cached_tokens: 5 },
        completion_tokens_details: { reasoning_tokens: 6 },
      },
    },
    members: {
      id: null,
      model: 'ChatCompletion.model',
      'choices[].index': 'ChatCompletion.choices[].index',
      'choices[].finish_reason': 'ChatCompletion.choices[].finishReason',
      'choices[].message.role': 'ChatCompletion.choices[].message.role',
      'choices[].message.content': 'ChatCompletion.choices[].message.content',
      'choices[].message.reasoning_content': 'ChatCompletion.choices[].message.reasoningContent',
      'choices[].message.refusal': 'ChatCompletion.choices[].message.refusal',
      'choices[].message.tool_calls[].index': 'ChatCompletion.choices[].message.toolCalls[].index',
      'choices[].message.tool_calls[].id': 'ChatCompletion.choices[].message.toolCalls[].id',
      'choices[].message.tool_calls[].function.name': 'ChatCompletion.choices[].message.toolCalls[].name',
      'choices[].message.tool_calls[].function.arguments':
        'ChatCompletion.choices[].message.toolCalls[].arguments',
      'choices[].message.function_call.name': 'ChatCompletion.choices[].message.functionCall.name',
      'choices[].message.function_call.arguments': 'ChatCompletion.choices[].message.functionCall.arguments',
      'usage.prompt_tokens': 'GenerationUsage.promptTokens',
      'usage.completion_tokens': 'GenerationUsage.completionTokens',
      'usage.total_tokens': 'GenerationUsage.totalTokens',
      'usage.prompt_tokens_details.cached_tokens': 'GenerationUsage.cachedTokens',
      'usage.completion_tokens_details.reasoning_tokens': 'GenerationUsage.reasoningTokens',
    },
  },
  {
    endpoint: 8,
    field: 'voices',
    args: { first: 1 },
    isDocumented: false,
    reply: {
      data: [
        {
          voice_id: 'en-us-ava',
          voice_name: 'Ava',
          language: 'en-US',
          gender: 'female',
          owned_by: 'studio',
          trial_url: 'https://example.com/ava.mp3',
        },
      ],
    },
    members: {
      'data[].voice_id': 'VoiceConnection.edges[].node.voiceId',
      'data[].voice_name': 'VoiceConnection.edges[].node.name',
      'data[].language': 'VoiceConnection.edges[].node.language',
      'data[].gender': 'VoiceConnection.edges[].node.gender',
      'data[].owned_by': 'VoiceConnection.edges[].node.provider',
      'data[].trial_url': 'VoiceConnection.edges[].node.previewUrl',
    },
  },
  {
    endpoint: 20,
    field: 'generateContent',
    args: { input: { model: 'm', contents: [{ parts: [{ text: 'Hello.' }] }] } },
    isDocumented: false,
    reply: {
      candidates: [
        {
          index: 0,
          content: {
            role: 'model',
            parts: [{ text: 'A fox.' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
          },
          finishReason: 'STOP',
          urlContextMetadata: {
            urlMetadata: [{ retrievedUrl: 'https://example.com/', urlRetrievalStatus: 'OK' }],
          },
        },
      ],
      modelVersion: 'm-1',
      responseId: 'r-1',
      usageMetadata: {
        promptTokenCount: 11,
        candidatesTokenCount: 12,
        thoughtsTokenCount: 3,
        cachedContentTokenCount: 2,
        totalTokenCount: 26,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 11 }],
        candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: 12 }],
      },
    },
    members: {
      'candidates[].index': 'ContentResponse.candidates[].index',
      'candidates[].content.role': 'ContentResponse.candidates[].content.role',
      'candidates[].content.parts[].text': 'ContentResponse.candidates[].content.parts[].text',
      'candidates[].content.parts[].inlineData.mimeType':
        'ContentResponse.candidates[].content.parts[].inlineData.mimeType',
      'candidates[].content.parts[].inlineData.data':
        'ContentResponse.candidates[].content.parts[].inlineData.data',
      'candidates[].finishReason': 'ContentResponse.candidates[].finishReason',
      'candidates[].urlContextMetadata.urlMetadata[].retrievedUrl':
        'ContentResponse.candidates[].urlContextMetadata.urlMetadata[].retrievedUrl',
      'candidates[].urlContextMetadata.urlMetadata[].urlRetrievalStatus':
        'ContentResponse.candidates[].urlContextMetadata.urlMetadata[].urlRetrievalStatus',
      modelVersion: 'ContentResponse.modelVersion',
      responseId: 'ContentResponse.responseId',
      'usageMetadata.promptTokenCount': 'GenerationUsage.promptTokens',
      'usageMetadata.candidatesTokenCount': 'GenerationUsage.outputTokens',
      'usageMetadata.thoughtsTokenCount': 'GenerationUsage.reasoningTokens',
      'usageMetadata.cachedContentTokenCount': 'GenerationUsage.cachedTokens',
      'usageMetadata.totalTokenCount': 'GenerationUsage.totalTokens',
      'usageMetadata.promptTokensDetails': 'GenerationUsage.promptTokensDetails',
      'usageMetadata.candidatesTokensDetails': 'GenerationUsage.completionTokensDetails',
    },
  },
];

/** Every reply that the gateway's document shows, and common shapes of others. */
export const replies: readonly ReplyMembers[] = [...imageReplies, ...taskReplies, ...otherReplies];
