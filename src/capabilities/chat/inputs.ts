import type { Graph } from '../../graphql/graph.ts';

export function chatRoleEnum({ builder }: Graph) {
  return builder.enumType('ChatRole', {
    description: 'Author of a message.',
    values: {
      SYSTEM: { value: 'system', description: 'Instructions to the model.' },
      USER: { value: 'user', description: 'The end user.' },
      ASSISTANT: { value: 'assistant', description: 'The model.' },
      TOOL: { value: 'tool', description: 'Result of a tool call. Requires `toolCallId`.' },
      DEVELOPER: {
        value: 'developer',
        description: 'Instead of SYSTEM, for some models.',
      },
    },
  } as const);
}

function imageDetail({ builder }: Graph) {
  return builder.enumType('ImageDetail', {
    description: 'Resolution at which the model reads an image.',
    values: {
      AUTO: { value: 'auto', description: 'The model decides.' },
      LOW: { value: 'low', description: 'Low resolution, fewer tokens.' },
      HIGH: { value: 'high', description: 'High resolution, more tokens.' },
    },
  } as const);
}

function toolType({ builder }: Graph) {
  return builder.enumType('ToolType', {
    description: 'Kind of tool.',
    values: {
      FUNCTION: { value: 'function', description: 'A function that the client runs.' },
    },
  } as const);
}

function imageUrlInput({ builder, use }: Graph) {
  return builder.inputType('ImageUrlInput', {
    description: 'Image in a message.',
    fields: (t) => ({
      url: t.string({
        required: true,
        description: 'URL or base64 data URI. A gateway with an image proxy may replace it.',
      }),
      detail: t.field({
        type: use(imageDetail),
      }),
    }),
  });
}

function chatContentPartInput({ builder, use }: Graph) {
  return builder.inputType('ChatContentPartInput', {
    description: 'Part of a message.',
    isOneOf: true,
    fields: (t) => ({
      text: t.string({ description: 'Text.' }),
      imageUrl: t.field({ type: use(imageUrlInput), description: 'Image.' }),
    }),
  });
}

function chatContentInput({ builder, use }: Graph) {
  return builder.inputType('ChatContentInput', {
    description: 'Content of a message.',
    isOneOf: true,
    fields: (t) => ({
      text: t.string({ description: 'Plain text.' }),
      parts: t.field({
        type: [use(chatContentPartInput)],
        description: 'In order, at least one.',
      }),
    }),
  });
}

function toolCallFunctionInput({ builder }: Graph) {
  return builder.inputType('ToolCallFunctionInput', {
    description: 'Function call.',
    fields: (t) => ({
      name: t.string({ required: true, description: 'Name.' }),
      arguments: t.string({
        required: true,
        description: 'JSON text.',
      }),
    }),
  });
}

function toolCallInput({ builder, use }: Graph) {
  return builder.inputType('ToolCallInput', {
    description: 'Tool call from an earlier reply.',
    fields: (t) => ({
      id: t.id({
        required: true,
        description: 'From the reply. The TOOL message repeats it in `toolCallId`.',
      }),
      function: t.field({
        type: use(toolCallFunctionInput),
        required: true,
      }),
      type: t.field({ type: use(toolType), defaultValue: 'function', description: 'Always FUNCTION.' }),
      extraContent: t.field({ type: 'JSON', description: 'From the reply.' }),
    }),
  });
}

function chatMessageInput({ builder, use }: Graph) {
  return builder.inputType('ChatMessageInput', {
    description: 'Message of a conversation.',
    fields: (t) => ({
      role: t.field({ type: use(chatRoleEnum), required: true }),
      content: t.field({
        type: use(chatContentInput),
        description: 'Content. Required unless `toolCalls` is set.',
      }),
      name: t.string({ description: 'Distinguishes authors with the same role.' }),
      toolCalls: t.field({
        type: [use(toolCallInput)],
        description: 'Tool calls of an ASSISTANT message.',
      }),
      toolCallId: t.id({
        description: 'The answered tool call, from before this message. Required when `role` is TOOL.',
      }),
      reasoningContent: t.string({
        description: 'From an earlier reply.',
      }),
    }),
  });
}

function streamOptionsInput({ builder }: Graph) {
  return builder.inputType('StreamOptionsInput', {
    description: 'Options for streamed replies.',
    fields: (t) => ({
      includeUsage: t.boolean({
        defaultValue: true,
        description: 'Usage at the end. Always true with a `TOKENS_PER_DAY` limit.',
      }),
    }),
  });
}

function responseFormatType({ builder }: Graph) {
  return builder.enumType('ResponseFormatType', {
    description: 'Format of the reply.',
    values: {
      TEXT: { value: 'text', description: 'Free text.' },
      JSON_OBJECT: {
        value: 'json_object',
        description: 'A JSON object. A message must contain the word "JSON".',
      },
      JSON_SCHEMA: {
        value: 'json_schema',
        description: 'JSON that conforms to `jsonSchema`.',
      },
    },
  } as const);
}

function responseFormatInput({ builder, use }: Graph) {
  return builder.inputType('ResponseFormatInput', {
    description: 'Format of the reply.',
    fields: (t) => ({
      type: t.field({
        type: use(responseFormatType),
        required: true,
      }),
      jsonSchema: t.field({
        type: 'JSON',
        description:
          'For JSON_SCHEMA, such as `{"name": "city", "strict": true, "schema": {"type": "object"}}`.',
      }),
    }),
  });
}

function toolFunctionInput({ builder }: Graph) {
  return builder.inputType('ToolFunctionInput', {
    description: 'Function that the model may call.',
    fields: (t) => ({
      name: t.string({ required: true, description: 'Name, not empty.' }),
      description: t.string({ description: 'Purpose, for the model.' }),
      parameters: t.field({ type: 'JSON', description: 'JSON Schema of the arguments, an object.' }),
    }),
  });
}

function toolInput({ builder, use }: Graph) {
  return builder.inputType('ToolInput', {
    description: 'Tool that the model may call.',
    fields: (t) => ({
      function: t.field({
        type: use(toolFunctionInput),
        required: true,
      }),
      type: t.field({ type: use(toolType), defaultValue: 'function', description: 'Always FUNCTION.' }),
    }),
  });
}

function toolChoiceMode({ builder }: Graph) {
  return builder.enumType('ToolChoiceMode', {
    description: 'Policy for tool calls.',
    values: {
      NONE: { value: 'none', description: 'No tool calls.' },
      AUTO: { value: 'auto', description: 'The model decides.' },
      REQUIRED: { value: 'required', description: 'At least one tool call.' },
    },
  } as const);
}

function toolChoiceFunctionInput({ builder }: Graph) {
  return builder.inputType('ToolChoiceFunctionInput', {
    description: 'Function from `tools`.',
    fields: (t) => ({ name: t.string({ required: true, description: 'Name.' }) }),
  });
}

function toolChoiceInput({ builder, use }: Graph) {
  return builder.inputType('ToolChoiceInput', {
    description: 'Policy for tool calls, or one required function.',
    isOneOf: true,
    fields: (t) => ({
      mode: t.field({
        type: use(toolChoiceMode),
        description: 'REQUIRED needs at least one tool.',
      }),
      function: t.field({
        type: use(toolChoiceFunctionInput),
        description: 'Function that the model must call.',
      }),
    }),
  });
}

function searchContextSize({ builder }: Graph) {
  return builder.enumType('SearchContextSize', {
    description: 'Amount of web search results that the model reads.',
    values: {
      LOW: { value: 'low', description: 'Few results.' },
      MEDIUM: { value: 'medium', description: 'Moderate.' },
      HIGH: { value: 'high', description: 'Many results.' },
    },
  } as const);
}

function webSearchOptionsInput({ builder, use }: Graph) {
  return builder.inputType('WebSearchOptionsInput', {
    description: 'For models with web search.',
    fields: (t) => ({
      searchContextSize: t.field({
        type: use(searchContextSize),
        description: 'Default: MEDIUM.',
      }),
      userLocation: t.field({
        type: 'JSON',
        description: 'Location of the user, an object that the upstream defines.',
      }),
    }),
  });
}

export function chatInput({ builder, use }: Graph) {
  return builder.inputType('ChatInput', {
    description: 'A chat completion.',
    fields: (t) => ({
      model: t.string({
        required: true,
        description:
          'Model id, up to 200 characters. The gateway may map it to another model, and interprets suffixes such as `-thinking`.',
      }),
      messages: t.field({
        type: [use(chatMessageInput)],
        required: true,
        description: 'Oldest first, at least one.',
      }),
      streamOptions: t.field({
        type: use(streamOptionsInput),
        description: 'For `startChat` and `streamChat`.',
      }),
      maxTokens: t.int({ description: 'Maximum of generated tokens.' }),
      maxCompletionTokens: t.int({
        description: 'As `maxTokens`, for reasoning models.',
      }),
      temperature: t.float({
        description: 'From 0 to 2. Higher values vary more. Best without `topP`.',
      }),
      topP: t.float({
        description: 'Nucleus sampling, 0 to 1.',
      }),
      continueFrom: t.id({
        description: 'Id of an earlier chat: its thread precedes `messages`. See `Generation.canContinue`.',
      }),
      continueChoice: t.int({ description: 'Candidate to continue. Default: 0.' }),
      continuePartial: t.boolean({
        description: 'Continue a partial reply, without its tool calls.',
      }),
      count: t.int({ description: 'Number of candidate replies, from 1. Default: 1.' }),
      stop: t.stringList({ description: 'Texts that end the reply, at most 4.' }),
      presencePenalty: t.float({
        description: 'Penalty for repeated topics, −2 to 2.',
      }),
      frequencyPenalty: t.float({
        description: 'Penalty for repeated wording, −2 to 2.',
      }),
      logitBias: t.field({
        type: 'JSON',
        description: 'Bias per token: an object from token id to a number, −100 to 100.',
      }),
      seed: t.field({
        type: 'Number',
        description: 'For repeatable replies, if supported upstream.',
      }),
      user: t.string({
        description: 'Your id of the end user, for abuse detection at the gateway.',
      }),
      responseFormat: t.field({
        type: use(responseFormatInput),
        description: 'Default: free text.',
      }),
      tools: t.field({ type: [use(toolInput)], description: 'Tools that the model may call.' }),
      toolChoice: t.field({ type: use(toolChoiceInput) }),
      parallelToolCalls: t.boolean({
        description: 'Allow several tool calls in one reply.',
      }),
      reasoningEffort: t.string({
        description: 'Such as `low`, `medium` or `high`. A suffix of the model id may set it too.',
      }),
      enableThinking: t.boolean({
        description: 'Enable thinking. Only true has an effect.',
      }),
      extraBody: t.field({
        type: 'JSON',
        description:
          'An object for the upstream, by wire name: `enable_thinking` (boolean), `google` (object), or other members without a field here.',
      }),
      webSearchOptions: t.field({ type: use(webSearchOptionsInput) }),
      extra: t.field({
        type: 'JSON',
        description: 'Other members, by wire name, such as `functions`.',
      }),
    }),
  });
}

export type ChatInput = ReturnType<typeof chatInput>['$inferInput'];
