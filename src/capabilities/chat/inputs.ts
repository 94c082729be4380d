import type { Graph } from '../../graphql/graph.ts';

export function chatRoleEnum({ builder }: Graph) {
  return builder.enumType('ChatRole', {
    description: 'Who speaks.',
    values: {
      SYSTEM: { value: 'system', description: 'Instructions to the model. Wire value `system`.' },
      USER: { value: 'user', description: 'The person who asks. Wire value `user`.' },
      ASSISTANT: { value: 'assistant', description: 'The model. Wire value `assistant`.' },
      TOOL: { value: 'tool', description: "A tool's result; needs `toolCallId`. Wire value `tool`." },
      DEVELOPER: {
        value: 'developer',
        description:
          'Instructions, for models that take them under this name instead of `system`. Wire value `developer`.',
      },
    },
  } as const);
}

function imageDetail({ builder }: Graph) {
  return builder.enumType('ImageDetail', {
    description: 'How closely an image is looked at.',
    values: {
      AUTO: { value: 'auto', description: 'The model decides. Wire value `auto`.' },
      LOW: { value: 'low', description: 'Coarsely, for few tokens. Wire value `low`.' },
      HIGH: { value: 'high', description: 'Closely, for many tokens. Wire value `high`.' },
    },
  } as const);
}

function toolType({ builder }: Graph) {
  return builder.enumType('ToolType', {
    description: 'What a tool is: always a function.',
    values: {
      FUNCTION: { value: 'function', description: 'A function that the client runs. Wire value `function`.' },
    },
  } as const);
}

function imageUrlInput({ builder, use }: Graph) {
  return builder.inputType('ImageUrlInput', {
    description: 'An image to look at.',
    fields: (t) => ({
      url: t.string({
        required: true,
        description:
          'An http(s) address, or a base64 data URI. A gateway with an image proxy may replace it.',
      }),
      detail: t.field({
        type: use(imageDetail),
        description: "How closely to look; the gateway's own default when absent.",
      }),
    }),
  });
}

function chatContentPartInput({ builder, use }: Graph) {
  return builder.inputType('ChatContentPartInput', {
    description: 'A piece of a message. The wire `type` follows from which one is given.',
    isOneOf: true,
    fields: (t) => ({
      text: t.string({ description: 'A piece of text. Wire type `text`.' }),
      imageUrl: t.field({ type: use(imageUrlInput), description: 'An image. Wire type `image_url`.' }),
    }),
  });
}

function chatContentInput({ builder, use }: Graph) {
  return builder.inputType('ChatContentInput', {
    description: 'What a message says: plain text, or text and images.',
    isOneOf: true,
    fields: (t) => ({
      text: t.string({ description: 'Plain text.' }),
      parts: t.field({
        type: [use(chatContentPartInput)],
        description: 'Text and images, in order; at least one.',
      }),
    }),
  });
}

function toolCallFunctionInput({ builder }: Graph) {
  return builder.inputType('ToolCallFunctionInput', {
    description: 'The function that a model asked for.',
    fields: (t) => ({
      name: t.string({ required: true, description: "The function's name." }),
      arguments: t.string({
        required: true,
        description: 'Its arguments as the model wrote them: JSON text.',
      }),
    }),
  });
}

function toolCallInput({ builder, use }: Graph) {
  return builder.inputType('ToolCallInput', {
    description: "A model's earlier request to call a tool, sent back as part of the conversation.",
    fields: (t) => ({
      id: t.id({
        required: true,
        description: 'As the model gave it; the tool message names it in `toolCallId`.',
      }),
      type: t.field({ type: use(toolType), defaultValue: 'function', description: 'Always FUNCTION.' }),
      function: t.field({ type: use(toolCallFunctionInput), required: true, description: 'What to call.' }),
    }),
  });
}

function chatMessageInput({ builder, use }: Graph) {
  return builder.inputType('ChatMessageInput', {
    description: 'One turn of the conversation.',
    fields: (t) => ({
      role: t.field({ type: use(chatRoleEnum), required: true, description: 'Who speaks.' }),
      content: t.field({
        type: use(chatContentInput),
        description: 'What is said. May be absent only beside `toolCalls`, and is sent as `""` then.',
      }),
      name: t.string({ description: "The speaker's name, where several share a role." }),
      toolCalls: t.field({
        type: [use(toolCallInput)],
        description: 'What the assistant asked tools for. Wire name `tool_calls`.',
      }),
      toolCallId: t.id({
        description:
          'Which call a tool message answers: required when role is TOOL. Wire name `tool_call_id`.',
      }),
      reasoningContent: t.string({
        description: 'Reasoning text of an earlier reply, to go on from. Wire name `reasoning_content`.',
      }),
    }),
  });
}

function streamOptionsInput({ builder }: Graph) {
  return builder.inputType('StreamOptionsInput', {
    description: 'What a streamed reply reports beside its text.',
    fields: (t) => ({
      includeUsage: t.boolean({
        defaultValue: true,
        description:
          'Ask for token usage at the end of the stream; true when absent. Wire name `include_usage`.',
      }),
    }),
  });
}

function responseFormatType({ builder }: Graph) {
  return builder.enumType('ResponseFormatType', {
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
}

function responseFormatInput({ builder, use }: Graph) {
  return builder.inputType('ResponseFormatInput', {
    description: "Constrains the reply's form.",
    fields: (t) => ({
      type: t.field({
        type: use(responseFormatType),
        required: true,
        description: 'Which form the reply takes.',
      }),
      jsonSchema: t.field({
        type: 'JSON',
        description:
          'For JSON_SCHEMA, and required there: an object with `name` and `schema` as chat-completions models take it. Wire name `json_schema`.',
      }),
    }),
  });
}

function toolFunctionInput({ builder }: Graph) {
  return builder.inputType('ToolFunctionInput', {
    description: 'A function that the model may ask for.',
    fields: (t) => ({
      name: t.string({ required: true, description: 'Its name; not empty.' }),
      description: t.string({ description: 'What it does, in words for the model.' }),
      parameters: t.field({ type: 'JSON', description: 'JSON Schema of its arguments, an object.' }),
    }),
  });
}

function toolInput({ builder, use }: Graph) {
  return builder.inputType('ToolInput', {
    description: 'A tool that the model may use.',
    fields: (t) => ({
      type: t.field({ type: use(toolType), defaultValue: 'function', description: 'Always FUNCTION.' }),
      function: t.field({
        type: use(toolFunctionInput),
        required: true,
        description: 'The function that the model may ask for.',
      }),
    }),
  });
}

function toolChoiceMode({ builder }: Graph) {
  return builder.enumType('ToolChoiceMode', {
    description: 'Whether the model calls tools.',
    values: {
      NONE: { value: 'none', description: 'It may call none. Wire value `none`.' },
      AUTO: { value: 'auto', description: 'The model decides. Wire value `auto`.' },
      REQUIRED: { value: 'required', description: 'It must call at least one. Wire value `required`.' },
    },
  } as const);
}

function toolChoiceFunctionInput({ builder }: Graph) {
  return builder.inputType('ToolChoiceFunctionInput', {
    description: 'Names one of the `tools`.',
    fields: (t) => ({ name: t.string({ required: true, description: "The function's name." }) }),
  });
}

function toolChoiceInput({ builder, use }: Graph) {
  return builder.inputType('ToolChoiceInput', {
    description: 'Whether the model calls tools, or the one that it must call.',
    isOneOf: true,
    fields: (t) => ({
      mode: t.field({
        type: use(toolChoiceMode),
        description: 'Whether it may, must or must not call any of the `tools`; REQUIRED needs some.',
      }),
      function: t.field({
        type: use(toolChoiceFunctionInput),
        description: 'The one function of `tools` that it must call.',
      }),
    }),
  });
}

function searchContextSize({ builder }: Graph) {
  return builder.enumType('SearchContextSize', {
    description: 'How much of what a web search finds is read.',
    values: {
      LOW: { value: 'low', description: 'Little. Wire value `low`.' },
      MEDIUM: { value: 'medium', description: 'A middling amount. Wire value `medium`.' },
      HIGH: { value: 'high', description: 'Much. Wire value `high`.' },
    },
  } as const);
}

function webSearchOptionsInput({ builder, use }: Graph) {
  return builder.inputType('WebSearchOptionsInput', {
    description: 'How models search the web that can.',
    fields: (t) => ({
      searchContextSize: t.field({
        type: use(searchContextSize),
        description:
          'How much of what is found is read; MEDIUM when absent. Wire name `search_context_size`.',
      }),
      userLocation: t.field({
        type: 'JSON',
        description:
          'Where the user is: an object in the form that the upstream defines. Wire name `user_location`.',
      }),
    }),
  });
}

export function chatInput({ builder, use }: Graph) {
  return builder.inputType('ChatInput', {
    description: "A chat completion: every member of the gateway's chat request. What is absent is not sent.",
    fields: (t) => ({
      model: t.string({
        required: true,
        description:
          "Model id: an open set. The token's group selects the channel, the name may be remapped, and suffixes such as `-thinking` and `-search` are read by the gateway.",
      }),
      messages: t.field({
        type: [use(chatMessageInput)],
        required: true,
        description: 'The conversation, oldest first; at least one.',
      }),
      streamOptions: t.field({
        type: use(streamOptionsInput),
        description:
          'Only for streamed replies (`startChat`, `chat`), which ask for usage unless this says otherwise. Wire name `stream_options`.',
      }),
      maxTokens: t.int({ description: 'The most tokens to generate; from 0. Wire name `max_tokens`.' }),
      maxCompletionTokens: t.int({
        description:
          'The most tokens that a reasoning model may generate; from 0. When absent the gateway may go by `maxTokens`. Wire name `max_completion_tokens`.',
      }),
      temperature: t.float({
        description: 'Sampling temperature, 0 to 2: higher is more varied. Adjust this or `topP`, not both.',
      }),
      topP: t.float({
        description:
          'Nucleus sampling, 0 to 1: only the likeliest tokens that together have this probability are drawn from. Wire name `top_p`.',
      }),
      n: t.int({ description: 'How many candidate replies, from 1; the gateway makes 1 when absent.' }),
      stop: t.stringList({ description: 'Texts at which generation stops; at most 4.' }),
      presencePenalty: t.float({
        description: 'Positive values make repeated topics rarer; −2 to 2. Wire name `presence_penalty`.',
      }),
      frequencyPenalty: t.float({
        description: 'Positive values make repeated wording rarer; −2 to 2. Wire name `frequency_penalty`.',
      }),
      logitBias: t.field({
        type: 'JSON',
        description:
          'Makes tokens likelier or less likely: an object from token id to a number, −100 to 100. Wire name `logit_bias`.',
      }),
      seed: t.field({
        type: 'BigInt',
        description: 'As far as the upstream can: the same seed and request give the same reply.',
      }),
      user: t.string({
        description: 'An identifier of the end user for the gateway, against abuse and for statistics.',
      }),
      responseFormat: t.field({
        type: use(responseFormatInput),
        description: "Constrains the reply's form; free text when absent. Wire name `response_format`.",
      }),
      tools: t.field({ type: [use(toolInput)], description: 'Functions that the model may ask to call.' }),
      toolChoice: t.field({
        type: use(toolChoiceInput),
        description:
          "Whether the model calls any of the `tools`, or the one that it must call; the gateway's own default when absent. Wire name `tool_choice`.",
      }),
      parallelToolCalls: t.boolean({
        description:
          "Whether one reply may ask for several tool calls, where the upstream can; the gateway's own default when absent. Wire name `parallel_tool_calls`.",
      }),
      reasoningEffort: t.string({
        description:
          'How hard to think, such as `low`, `medium`, `high`; a model suffix may set it too. Wire name `reasoning_effort`.',
      }),
      enableThinking: t.boolean({
        description:
          'Let the model think before it answers; only `true` has an effect. The same as `enable_thinking` in `extraBody`. Wire name `enable_thinking`.',
      }),
      extraBody: t.field({
        type: 'JSON',
        description:
          'Options for the channel, as a JSON object: known are `enable_thinking` (a boolean, of which only `true` has an effect) and `google` (an object, such as thinking settings or response modalities). Its effect depends on channel and model. Wire name `extra_body`.',
      }),
      webSearchOptions: t.field({
        type: use(webSearchOptionsInput),
        description: 'How to search the web, for models that can. Wire name `web_search_options`.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further members of the request body, such as the older `functions`: a JSON object with their wire names. What has a field of its own here, and `stream`, is refused.',
      }),
    }),
  });
}

export type ChatInput = ReturnType<typeof chatInput>['$inferInput'];
