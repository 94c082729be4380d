import type { OutputType } from '../../graphql/generation-output.ts';
import type { Graph } from '../../graphql/graph.ts';
import { asArray } from '../../lib/json.ts';
import type { ChatChoice, FunctionCall, ToolCall } from './completion.ts';
import type { ChatCompletion } from './chat-kind.ts';
import { chatRoleEnum } from './inputs.ts';
import { type ChatMessage, type ContentPart, decodeMessage } from './wire.ts';

function functionCallRef({ builder }: Graph) {
  return builder.objectRef<FunctionCall>('FunctionCall').implement({
    description: 'What the model asks to call, in the older form that goes with `functions`.',
    fields: (t) => ({
      name: t.exposeString('name', { nullable: true, description: "The function's name." }),
      arguments: t.exposeString('arguments', {
        nullable: true,
        description: 'Its arguments as JSON text; in a delta the part to append.',
      }),
    }),
  });
}

function toolCallRef({ builder }: Graph) {
  return builder.objectRef<ToolCall>('ToolCall').implement({
    description: "A model's request to call a function.",
    fields: (t) => ({
      index: t.exposeInt('index', { description: 'Its place among the calls of the reply, from 0.' }),
      id: t.exposeID('id', {
        nullable: true,
        description: "The call's id, which goes into `toolCallId` of the message that answers it.",
      }),
      name: t.exposeString('name', { nullable: true, description: "The function's name." }),
      arguments: t.exposeString('arguments', {
        nullable: true,
        description: 'Its arguments as JSON text, as the model wrote them.',
      }),
    }),
  });
}

function toolCallDeltaRef({ builder }: Graph) {
  return builder.objectRef<ToolCall>('ToolCallDelta').implement({
    description: 'What is new of a tool call.',
    fields: (t) => ({
      index: t.exposeInt('index', { description: 'Which call of the reply, from 0.' }),
      id: t.exposeID('id', { nullable: true, description: 'Its id; said once.' }),
      name: t.exposeString('name', { nullable: true, description: "The function's name; said once." }),
      arguments: t.exposeString('arguments', { nullable: true, description: 'JSON text to append.' }),
    }),
  });
}

function imageUrlRef({ builder }: Graph) {
  return builder.objectRef<NonNullable<ContentPart['imageUrl']>>('ChatImageUrl').implement({
    description: 'An image of a message.',
    fields: (t) => ({
      url: t.exposeString('url', {
        description:
          'Its address, or its data URI, of which from 512 characters on only type, size and hash are kept.',
      }),
      detail: t.exposeString('detail', {
        nullable: true,
        description:
          'How closely the model was to look, in the word of the wire (`auto`, `low`, `high`); null where not said.',
      }),
    }),
  });
}

function contentPartRef({ builder, use }: Graph) {
  return builder.objectRef<ContentPart>('ChatContentPart').implement({
    description: 'A piece of a message: text or an image.',
    fields: (t) => ({
      text: t.exposeString('text', { nullable: true, description: 'Text.' }),
      imageUrl: t.expose('imageUrl', { type: use(imageUrlRef), nullable: true, description: 'An image.' }),
    }),
  });
}

function chatMessageRef({ builder, use }: Graph) {
  return builder.objectRef<ChatMessage>('ChatMessage').implement({
    description: 'One turn of a conversation.',
    fields: (t) => ({
      role: t.expose('role', {
        type: use(chatRoleEnum),
        nullable: true,
        description: 'Who speaks; null when not said or not known.',
      }),
      content: t.exposeString('content', {
        nullable: true,
        description: 'What is said, as text; null where `parts` hold it, or where there is none.',
      }),
      parts: t.expose('parts', {
        type: [use(contentPartRef)],
        nullable: true,
        description: 'Text and images, where the message was made of parts.',
      }),
      name: t.exposeString('name', {
        nullable: true,
        description: "The speaker's name, where the request gave one.",
      }),
      reasoningContent: t.exposeString('reasoningContent', {
        nullable: true,
        description: 'What the model thought before it answered.',
      }),
      refusal: t.exposeString('refusal', {
        nullable: true,
        description: 'What the model says to decline; null where it does not.',
      }),
      toolCalls: t.expose('toolCalls', {
        type: [use(toolCallRef)],
        nullable: true,
        description: 'What the model asks to call.',
      }),
      toolCallId: t.exposeID('toolCallId', {
        nullable: true,
        description: 'Of a tool message: which call it answers.',
      }),
      functionCall: t.expose('functionCall', {
        type: use(functionCallRef),
        nullable: true,
        description: 'What the model asks to call, in the older form that goes with `functions`.',
      }),
    }),
  });
}

function chatChoiceRef({ builder, use }: Graph) {
  return builder.objectRef<ChatChoice>('ChatChoice').implement({
    description: 'One candidate reply.',
    fields: (t) => ({
      index: t.exposeInt('index', { description: 'Which candidate it is, from 0.' }),
      message: t.field({
        type: use(chatMessageRef),
        description: 'The reply so far.',
        resolve: (choice) => choice,
      }),
      finishReason: t.exposeString('finishReason', {
        nullable: true,
        description:
          'Why it ended, in the words of the upstream: `stop`, `length`, `tool_calls`, `content_filter`, … Null while it runs, or if never said.',
      }),
    }),
  });
}

export function chatChoiceDeltaRef({ builder, use }: Graph) {
  return builder.objectRef<ChatChoice>('ChatChoiceDelta').implement({
    description:
      'What is new of one candidate: text to append, and what is said once. Never ends inside a character.',
    fields: (t) => ({
      index: t.exposeInt('index', { description: 'Which candidate, from 0.' }),
      role: t.expose('role', {
        type: use(chatRoleEnum),
        nullable: true,
        description: 'Who speaks; said once.',
      }),
      content: t.exposeString('content', { nullable: true, description: 'Text to append.' }),
      reasoningContent: t.exposeString('reasoningContent', {
        nullable: true,
        description: 'Reasoning text to append.',
      }),
      refusal: t.exposeString('refusal', { nullable: true, description: 'Refusal text to append.' }),
      toolCalls: t.expose('toolCalls', {
        type: [use(toolCallDeltaRef)],
        nullable: true,
        description: 'What is new of each call.',
      }),
      functionCall: t.expose('functionCall', {
        type: use(functionCallRef),
        nullable: true,
        description: 'What is new of a call in the older form that goes with `functions`.',
      }),
      finishReason: t.exposeString('finishReason', {
        nullable: true,
        description: 'Why this candidate ended, in the words of the upstream; said once, at its end.',
      }),
    }),
  });
}

export function chatCompletionRef({ builder, use }: Graph) {
  return builder.objectRef<ChatCompletion>('ChatCompletion').implement({
    description: 'A reply as far as it goes, with the request that it answers.',
    fields: (t) => ({
      sequence: t.exposeInt('sequence', {
        description: 'Number of the last delta that this holds; 0 before the first.',
      }),
      model: t.string({
        nullable: true,
        description: 'The model that answers, as the gateway names it.',
        resolve: ({ state }) => state.model,
      }),
      messages: t.field({
        type: [use(chatMessageRef)],
        description: 'The messages of the request, oldest first.',
        resolve: ({ generation }) => asArray(generation?.input['messages']).map(decodeMessage),
      }),
      choices: t.field({
        type: [use(chatChoiceRef)],
        description: 'The candidates, in order of `index`.',
        resolve: ({ state }) => [...state.choices],
      }),
      raw: t.field({
        type: 'JSON',
        nullable: true,
        description:
          'The reply as received, a stream put together to one document; null while it runs. Inline media from 512 characters on is replaced by its size and hash; shorter stays.',
        resolve: ({ generation }) => generation?.raw,
      }),
    }),
  });
}

export const chatCompletionOutput: OutputType<ChatCompletion> = {
  type: 'chat-completion',
  ref: chatCompletionRef,
};
