import type { RequestMembers, MemberSource } from './request-members.ts';

const members: Readonly<Record<string, MemberSource>> = {
  'header:x-forwarded-hoapp-codest': { header: 'X-Forwarded-HoAPP-Codest' },
  model: 'input.model',
  messages: 'input.messages',
  'messages[].role': 'input.messages[].role',
  'messages[].content': 'input.messages[].content',
  'messages[].content[].type': { by: 'input.messages[].content.parts' },
  'messages[].content[].text': 'input.messages[].content.parts[].text',
  'messages[].content[].image_url': 'input.messages[].content.parts[].imageUrl',
  'messages[].content[].image_url.url': 'input.messages[].content.parts[].imageUrl.url',
  'messages[].content[].image_url.detail': 'input.messages[].content.parts[].imageUrl.detail',
  'messages[].name': 'input.messages[].name',
  'messages[].tool_calls': 'input.messages[].toolCalls',
  'messages[].tool_calls[].id': 'input.messages[].toolCalls[].id',
  'messages[].tool_calls[].type': 'input.messages[].toolCalls[].type',
  'messages[].tool_calls[].function': 'input.messages[].toolCalls[].function',
  'messages[].tool_calls[].function.name': 'input.messages[].toolCalls[].function.name',
  'messages[].tool_calls[].function.arguments': 'input.messages[].toolCalls[].function.arguments',
  'messages[].tool_calls[].extra_content': 'input.messages[].toolCalls[].extraContent',
  'messages[].tool_call_id': 'input.messages[].toolCallId',
  'messages[].reasoning_content': 'input.messages[].reasoningContent',
  max_tokens: 'input.maxTokens',
  max_completion_tokens: 'input.maxCompletionTokens',
  temperature: 'input.temperature',
  top_p: 'input.topP',
  n: 'input.n',
  stop: 'input.stop',
  presence_penalty: 'input.presencePenalty',
  frequency_penalty: 'input.frequencyPenalty',
  logit_bias: 'input.logitBias',
  seed: { anyOf: ['input.seed', 'input.fractionalSeed'] },
  user: 'input.user',
  response_format: 'input.responseFormat',
  'response_format.type': 'input.responseFormat.type',
  'response_format.json_schema': 'input.responseFormat.jsonSchema',
  tools: 'input.tools',
  'tools[].type': 'input.tools[].type',
  'tools[].function': 'input.tools[].function',
  'tools[].function.name': 'input.tools[].function.name',
  'tools[].function.description': 'input.tools[].function.description',
  'tools[].function.parameters': 'input.tools[].function.parameters',
  tool_choice: 'input.toolChoice',
  'tool_choice.type': { by: 'input.toolChoice' },
  'tool_choice.function': 'input.toolChoice.function',
  'tool_choice.function.name': 'input.toolChoice.function.name',
  parallel_tool_calls: 'input.parallelToolCalls',
  reasoning_effort: 'input.reasoningEffort',
  enable_thinking: 'input.enableThinking',
  extra_body: 'input.extraBody',
  web_search_options: 'input.webSearchOptions',
  'web_search_options.search_context_size': 'input.webSearchOptions.searchContextSize',
  'web_search_options.user_location': 'input.webSearchOptions.userLocation',
  functions: { extra: 'input.extra' },
};

const full = {
  model: 'gpt-4o',
  messages: [
    { role: 'SYSTEM', content: { text: 'Answer in JSON.' }, name: 'editor' },
    {
      role: 'USER',
      content: {
        parts: [{ text: 'What is this?' }, { imageUrl: { url: 'https://example.com/a.png', detail: 'LOW' } }],
      },
    },
    {
      role: 'ASSISTANT',
      reasoningContent: 'Let me look.',
      toolCalls: [
        {
          id: 'call-1',
          type: 'FUNCTION',
          function: { name: 'look', arguments: '{}' },
          extraContent: { google: { thought_signature: 's' } },
        },
      ],
    },
    { role: 'TOOL', toolCallId: 'call-1', content: { text: 'a fox' } },
    { role: 'DEVELOPER', content: { text: 'Be brief.' } },
  ],
  maxTokens: 100,
  maxCompletionTokens: 90,
  temperature: 0.5,
  topP: 0.9,
  n: 1,
  stop: ['END'],
  presencePenalty: 0.1,
  frequencyPenalty: -0.1,
  logitBias: { '50256': -100 },
  seed: 7,
  user: 'u-1',
  responseFormat: { type: 'JSON_SCHEMA', jsonSchema: { name: 'reply', schema: { type: 'object' } } },
  tools: [
    {
      type: 'FUNCTION',
      function: { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } },
    },
  ],
  toolChoice: { function: { name: 'look' } },
  parallelToolCalls: true,
  reasoningEffort: 'low',
  enableThinking: true,
  extraBody: { enable_thinking: true, google: { thinking_config: {} } },
  webSearchOptions: { searchContextSize: 'HIGH', userLocation: { city: 'Oslo' } },
  extra: { functions: [{ name: 'f', description: 'd', parameters: {} }] },
};

const { seed: _seed, ...unseeded } = full;
/** The only member that excludes another one. */
const other = { ...unseeded, fractionalSeed: 1.5 };

const base = { endpoint: 1, method: 'POST', path: '/v1/chat/completions' } as const;

export const chatRequests: readonly RequestMembers[] = [
  {
    ...base,
    field: 'startChat',
    calls: [{ input: { ...full, streamOptions: { includeUsage: true } } }, { input: other }],
    members: {
      ...members,
      stream: { field: 'startChat' },
      stream_options: 'input.streamOptions',
      'stream_options.include_usage': 'input.streamOptions.includeUsage',
    },
  },
  {
    ...base,
    field: 'streamChat',
    calls: [
      { input: { ...full, streamOptions: { includeUsage: false } }, idempotencyKey: 'k' },
      { input: other, idempotencyKey: 'l' },
    ],
    members: {
      ...members,
      stream: { field: 'streamChat' },
      stream_options: 'input.streamOptions',
      'stream_options.include_usage': 'input.streamOptions.includeUsage',
    },
  },
  {
    ...base,
    field: 'createChatCompletion',
    calls: [{ input: full }, { input: other }],
    // Stream options apply when streaming.
    members: { ...members, stream: { field: 'createChatCompletion' } },
  },
];
