import { builder } from '../../graphql/builder.ts';

export const ChatRoleEnum = builder.enumType('ChatRole', {
  description: 'Who speaks.',
  values: {
    SYSTEM: { value: 'system', description: 'Instructions. Wire value `system`.' },
    USER: { value: 'user', description: 'The person. Wire value `user`.' },
    ASSISTANT: { value: 'assistant', description: 'The model. Wire value `assistant`.' },
    TOOL: { value: 'tool', description: "A tool's result; needs `toolCallId`. Wire value `tool`." },
    DEVELOPER: {
      value: 'developer',
      description: 'Instructions, for models that tell them from `system`. Wire value `developer`.',
    },
  },
} as const);

const ImageDetail = builder.enumType('ImageDetail', {
  description: 'How closely an image is looked at.',
  values: {
    AUTO: { value: 'auto', description: 'The model decides. Wire value `auto`.' },
    LOW: { value: 'low', description: 'Few tokens. Wire value `low`.' },
    HIGH: { value: 'high', description: 'Many tokens. Wire value `high`.' },
  },
} as const);

const ToolType = builder.enumType('ToolType', {
  description: 'What a tool is.',
  values: {
    FUNCTION: { value: 'function', description: 'A function that the client runs. Wire value `function`.' },
  },
} as const);

const ImageUrlInput = builder.inputType('ImageUrlInput', {
  description: 'An image to look at.',
  fields: (t) => ({
    url: t.string({
      required: true,
      description: 'An http(s) address, or a base64 data URI. A gateway with an image proxy may replace it.',
    }),
    detail: t.field({
      type: ImageDetail,
      description: 'How closely to look; left to the gateway when absent.',
    }),
  }),
});

const ChatContentPartInput = builder.inputType('ChatContentPartInput', {
  description: 'A piece of a message. The wire `type` follows from which one is given.',
  isOneOf: true,
  fields: (t) => ({
    text: t.string({ description: 'Text. Wire type `text`.' }),
    imageUrl: t.field({ type: ImageUrlInput, description: 'An image. Wire type `image_url`.' }),
  }),
});

const ChatContentInput = builder.inputType('ChatContentInput', {
  description: 'What a message says: plain text, or text and images.',
  isOneOf: true,
  fields: (t) => ({
    text: t.string({ description: 'Plain text.' }),
    parts: t.field({ type: [ChatContentPartInput], description: 'Text and images, in order.' }),
  }),
});

const ToolCallFunctionInput = builder.inputType('ToolCallFunctionInput', {
  description: 'The function that a model asked for.',
  fields: (t) => ({
    name: t.string({ required: true, description: "The function's name." }),
    arguments: t.string({
      required: true,
      description: 'Its arguments as the model wrote them: JSON text.',
    }),
  }),
});

const ToolCallInput = builder.inputType('ToolCallInput', {
  description: "A model's earlier request to call a tool, sent back as part of the conversation.",
  fields: (t) => ({
    id: t.id({
      required: true,
      description: 'As the model gave it; the tool message names it in `toolCallId`.',
    }),
    type: t.field({ type: ToolType, defaultValue: 'function', description: 'Always FUNCTION.' }),
    function: t.field({ type: ToolCallFunctionInput, required: true, description: 'What to call.' }),
  }),
});

const ChatMessageInput = builder.inputType('ChatMessageInput', {
  description: 'One turn of the conversation.',
  fields: (t) => ({
    role: t.field({ type: ChatRoleEnum, required: true, description: 'Who speaks.' }),
    content: t.field({
      type: ChatContentInput,
      description: 'What is said. May be absent only beside `toolCalls`.',
    }),
    name: t.string({ description: "The speaker's name, where several share a role." }),
    toolCalls: t.field({
      type: [ToolCallInput],
      description: 'What the assistant asked tools for. Wire name `tool_calls`.',
    }),
    toolCallId: t.id({
      description: 'Which call a tool message answers: required when role is TOOL. Wire name `tool_call_id`.',
    }),
    reasoningContent: t.string({
      description: 'Reasoning text of an earlier reply, to go on from. Wire name `reasoning_content`.',
    }),
  }),
});

const StreamOptionsInput = builder.inputType('StreamOptionsInput', {
  description: 'How a stream is reported.',
  fields: (t) => ({
    includeUsage: t.boolean({
      defaultValue: true,
      description: 'Ask for token usage at the end. Wire name `include_usage`.',
    }),
  }),
});

const ResponseFormatType = builder.enumType('ResponseFormatType', {
  description: 'What form the reply takes.',
  values: {
    TEXT: { value: 'text', description: 'Free text. Wire value `text`.' },
    JSON_OBJECT: {
      value: 'json_object',
      description: 'A JSON object; some message must ask for JSON by that word. Wire value `json_object`.',
    },
    JSON_SCHEMA: {
      value: 'json_schema',
      description: 'JSON that fits `jsonSchema`. Wire value `json_schema`.',
    },
  },
} as const);

const ResponseFormatInput = builder.inputType('ResponseFormatInput', {
  description: "Constrains the reply's form.",
  fields: (t) => ({
    type: t.field({ type: ResponseFormatType, required: true, description: 'Which form.' }),
    jsonSchema: t.field({
      type: 'JSON',
      description:
        'For JSON_SCHEMA, and required there: an object with `name` and `schema` as chat-completions models take it. Wire name `json_schema`.',
    }),
  }),
});

const ToolFunctionInput = builder.inputType('ToolFunctionInput', {
  description: 'A function that the model may ask for.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name.' }),
    description: t.string({ description: 'What it does, for the model.' }),
    parameters: t.field({ type: 'JSON', description: 'JSON Schema of its arguments.' }),
  }),
});

const ToolInput = builder.inputType('ToolInput', {
  description: 'A tool that the model may use.',
  fields: (t) => ({
    type: t.field({ type: ToolType, defaultValue: 'function', description: 'Always FUNCTION.' }),
    function: t.field({ type: ToolFunctionInput, required: true, description: 'The function.' }),
  }),
});

const ToolChoiceMode = builder.enumType('ToolChoiceMode', {
  description: 'Whether the model uses tools.',
  values: {
    NONE: { value: 'none', description: 'No tool. Wire value `none`.' },
    AUTO: { value: 'auto', description: 'The model decides. Wire value `auto`.' },
    REQUIRED: { value: 'required', description: 'Some tool. Wire value `required`.' },
  },
} as const);

const ToolChoiceFunctionInput = builder.inputType('ToolChoiceFunctionInput', {
  description: 'One function by name.',
  fields: (t) => ({ name: t.string({ required: true, description: "The function's name." }) }),
});

const ToolChoiceInput = builder.inputType('ToolChoiceInput', {
  description: 'Whether and which tool the model uses.',
  isOneOf: true,
  fields: (t) => ({
    mode: t.field({ type: ToolChoiceMode, description: 'None, any, or some; REQUIRED needs `tools`.' }),
    function: t.field({ type: ToolChoiceFunctionInput, description: 'This one of `tools`, for certain.' }),
  }),
});

const SearchContextSize = builder.enumType('SearchContextSize', {
  description: 'How much of what a search finds is read.',
  values: {
    LOW: { value: 'low', description: 'Little. Wire value `low`.' },
    MEDIUM: { value: 'medium', description: "The gateway's default. Wire value `medium`." },
    HIGH: { value: 'high', description: 'Much. Wire value `high`.' },
  },
} as const);

const WebSearchOptionsInput = builder.inputType('WebSearchOptionsInput', {
  description: 'For models that search the web.',
  fields: (t) => ({
    searchContextSize: t.field({
      type: SearchContextSize,
      description: 'MEDIUM when absent. Wire name `search_context_size`.',
    }),
    userLocation: t.field({
      type: 'JSON',
      description: 'An object whose form the upstream defines. Wire name `user_location`.',
    }),
  }),
});

export const ChatInput = builder.inputType('ChatInput', {
  description: "A chat completion: every member of the gateway's chat request. What is absent is not sent.",
  fields: (t) => ({
    model: t.string({
      required: true,
      description:
        "Model id: an open set. The token's group selects the channel, the name may be remapped, and suffixes such as `-thinking` and `-search` are read by the gateway.",
    }),
    messages: t.field({
      type: [ChatMessageInput],
      required: true,
      description: 'The conversation, oldest first; at least one.',
    }),
    streamOptions: t.field({
      type: StreamOptionsInput,
      description:
        'Only for streamed replies; usage is asked for unless this says otherwise. Wire name `stream_options`.',
    }),
    maxTokens: t.int({ description: 'At most this many generated tokens; from 0. Wire name `max_tokens`.' }),
    maxCompletionTokens: t.int({
      description:
        'The same for reasoning models; may follow `maxTokens` when absent; from 0. Wire name `max_completion_tokens`.',
    }),
    temperature: t.float({ description: 'Sampling temperature, 0 to 2. Adjust this or `topP`, not both.' }),
    topP: t.float({ description: 'Nucleus sampling, 0 to 1. Wire name `top_p`.' }),
    n: t.int({ description: 'How many candidates; from 1, default 1.' }),
    stop: t.stringList({ description: 'Generation stops at any of these; at most 4.' }),
    presencePenalty: t.float({
      description: 'Positive values make repeated topics rarer; −2 to 2. Wire name `presence_penalty`.',
    }),
    frequencyPenalty: t.float({
      description: 'Positive values make repeated wording rarer; −2 to 2. Wire name `frequency_penalty`.',
    }),
    logitBias: t.field({
      type: 'JSON',
      description: 'An object from token id to a number, −100 to 100. Wire name `logit_bias`.',
    }),
    seed: t.field({
      type: 'BigInt',
      description: 'Best-effort reproducibility: the same seed and request, the same reply.',
    }),
    user: t.string({ description: 'Names the end user to the gateway, against abuse and for statistics.' }),
    responseFormat: t.field({
      type: ResponseFormatInput,
      description: "Constrains the reply's form. Wire name `response_format`.",
    }),
    tools: t.field({ type: [ToolInput], description: 'Functions that the model may ask for.' }),
    toolChoice: t.field({
      type: ToolChoiceInput,
      description: 'Whether and which. Wire name `tool_choice`.',
    }),
    parallelToolCalls: t.boolean({
      description:
        'Allow several tool calls in one reply, where the upstream can. Wire name `parallel_tool_calls`.',
    }),
    reasoningEffort: t.string({
      description:
        'How hard to think, such as `low`, `medium`, `high`; a model suffix may set it too. Wire name `reasoning_effort`.',
    }),
    enableThinking: t.boolean({
      description: 'Thinking mode; only `true` has an effect. Wire name `enable_thinking`.',
    }),
    extraBody: t.field({
      type: 'JSON',
      description:
        'An object for the channel: `enable_thinking` (a boolean), `google` (an object), …; its effect depends on channel and model. Wire name `extra_body`.',
    }),
    webSearchOptions: t.field({
      type: WebSearchOptionsInput,
      description: 'For models that search the web. Wire name `web_search_options`.',
    }),
    extra: t.field({
      type: 'JSON',
      description:
        'An object of further members of the request body, such as the older `functions`. Declared members and `stream` are refused here.',
    }),
  }),
});

export type ChatInput = typeof ChatInput.$inferInput;
