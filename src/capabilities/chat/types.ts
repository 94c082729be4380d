import { contentOf } from '../../graphql/contents.ts';
import type { OutputType } from '../../graphql/generation-output.ts';
import type { Graph } from '../../graphql/graph.ts';
import { nullable } from '../../graphql/field-options.ts';
import { asArray } from '../../lib/json.ts';
import type { ChatChoice, FunctionCall, ToolCall } from './completion.ts';
import type { ChatCompletion } from './chat-kind.ts';
import { chatRoleEnum } from './inputs.ts';
import { type ImagePart, partsOf, type TextPart, toAsset } from './image-parts.ts';
import { type ChatMessage, decodeMessage } from './wire.ts';

function functionCallRef({ builder }: Graph) {
  return builder.objectRef<FunctionCall>('FunctionCall').implement({
    description: 'Older form, used with `functions`.',
    fields: (t) => ({
      name: t.exposeString('name', nullable('Name.')),
      arguments: t.exposeString(
        'arguments',
        nullable('Arguments as JSON text. In a delta, the text to append.'),
      ),
    }),
  });
}

function toolCallRef({ builder }: Graph) {
  return builder.objectRef<ToolCall>('ToolCall').implement({
    description: 'Function call.',
    fields: (t) => ({
      index: t.exposeInt('index', { description: 'Position in the reply, from 0.' }),
      id: t.exposeID('id', nullable('The TOOL message repeats it in `toolCallId`.')),
      name: t.exposeString('name', nullable('Name.')),
      arguments: t.exposeString('arguments', nullable('Arguments as JSON text, which may be invalid.')),
      extraContent: t.expose('extraContent', {
        type: 'JSON',
        ...nullable('Such as a thought signature. Send it back.'),
      }),
    }),
  });
}

function toolCallDeltaRef({ builder }: Graph) {
  return builder.objectRef<ToolCall>('ToolCallDelta').implement({
    description: 'New part of a tool call.',
    fields: (t) => ({
      index: t.exposeInt('index', { description: 'Position in the reply, from 0.' }),
      id: t.exposeID('id', nullable('Id, sent once.')),
      name: t.exposeString('name', nullable('Function name, sent once.')),
      arguments: t.exposeString('arguments', nullable('JSON text to append.')),
      extraContent: t.expose('extraContent', { type: 'JSON', ...nullable('Sent once.') }),
    }),
  });
}

function textPartRef({ builder }: Graph) {
  return builder.objectRef<TextPart>('ChatTextPart').implement({
    description: 'Text in a message.',
    fields: (t) => ({ text: t.exposeString('text', { description: 'Text.' }) }),
  });
}

function imagePartRef({ builder }: Graph) {
  return builder.objectRef<ImagePart>('ChatImagePart').implement({
    description: 'Image in a message.',
    fields: (t) => ({
      url: t.exposeString('url', {
        description: 'URL or data URI. Requests have the size and hash of a long data URI.',
      }),
      detail: t.exposeString('detail', nullable('`auto`, `low` or `high`, if requested.')),
    }),
  });
}

function contentPartRef({ builder, use }: Graph) {
  return builder.unionType('ChatContentPart', {
    description: 'Part of a message.',
    types: [use(textPartRef), use(imagePartRef)],
    resolveType: ({ type }) => (type === 'text' ? 'ChatTextPart' : 'ChatImagePart'),
  });
}

function chatMessageRef({ builder, use }: Graph) {
  return builder.objectRef<ChatMessage>('ChatMessage').implement({
    description: 'Message of a conversation.',
    fields: (t) => ({
      role: t.expose('role', { type: use(chatRoleEnum), ...nullable('Author. Null if missing or unknown.') }),
      content: t.exposeString('content', nullable('Null without text, and in requests with `parts`.')),
      parts: t.field({
        type: [use(contentPartRef)],
        ...nullable('Null if the content is plain text.'),
        resolve: (message) => message.parts ?? partsOf(message),
      }),
      name: t.exposeString('name', nullable('From the request.')),
      reasoningContent: t.exposeString('reasoningContent', nullable('Reasoning text of the model.')),
      refusal: t.exposeString('refusal', nullable('Null if the model did not refuse.')),
      toolCalls: t.expose('toolCalls', { type: [use(toolCallRef)], ...nullable('Requested by the model.') }),
      toolCallId: t.exposeID('toolCallId', nullable('The answered tool call, in a TOOL message.')),
      functionCall: t.expose('functionCall', {
        type: use(functionCallRef),
        nullable: true,
      }),
    }),
  });
}

function chatChoiceRef({ builder, use }: Graph) {
  return builder.objectRef<ChatChoice>('ChatChoice').implement({
    description: 'Candidate reply.',
    fields: (t) => ({
      index: t.exposeInt('index', { description: 'Position of the candidate, from 0.' }),
      message: t.field({
        type: use(chatMessageRef),
        description: 'Message so far.',
        resolve: (choice) => choice,
      }),
      finishReason: t.exposeString(
        'finishReason',
        nullable('Such as `stop`, `length` or `tool_calls`. Null while running.'),
      ),
    }),
  });
}

export function chatChoiceDeltaRef({ builder, use }: Graph) {
  return builder.objectRef<ChatChoice>('ChatChoiceDelta').implement({
    description: 'New part of a candidate. A delta never splits a character.',
    fields: (t) => ({
      index: t.exposeInt('index', { description: 'Position of the candidate, from 0.' }),
      role: t.expose('role', { type: use(chatRoleEnum), ...nullable('Author, sent once.') }),
      content: t.exposeString('content', nullable('Text to append.')),
      parts: t.field({
        type: [use(contentPartRef)],
        ...nullable('New images and the text of `content`, in order. Null without images.'),
        resolve: partsOf,
      }),
      reasoningContent: t.exposeString('reasoningContent', nullable('Reasoning text to append.')),
      refusal: t.exposeString('refusal', nullable('Refusal text to append.')),
      toolCalls: t.expose('toolCalls', {
        type: [use(toolCallDeltaRef)],
        ...nullable('New parts of tool calls.'),
      }),
      functionCall: t.expose('functionCall', {
        type: use(functionCallRef),
        ...nullable('In the older form.'),
      }),
      finishReason: t.exposeString('finishReason', nullable('Sent once, when the candidate ends.')),
    }),
  });
}

export function chatCompletionRef({ builder, use }: Graph) {
  return builder.objectRef<ChatCompletion>('ChatCompletion').implement({
    description: 'Reply so far, with the messages of the request.',
    fields: (t) => ({
      sequence: t.exposeInt('sequence', {
        description: 'Last included delta. 0 before the first.',
      }),
      model: t.string({
        ...nullable('As reported.'),
        resolve: ({ state }) => state.model,
      }),
      messages: t.field({
        type: [use(chatMessageRef)],
        description: 'Messages of the request, oldest first.',
        resolve: async ({ generation }, _args, context) => {
          const input = generation && (await contentOf(generation, 'input', context));
          return asArray(input?.['messages']).map(decodeMessage);
        },
      }),
      choices: t.field({
        type: [use(chatChoiceRef)],
        description: 'Candidates in order of `index`.',
        resolve: ({ state }) => state.choices,
      }),
      raw: t.field({
        type: 'JSON',
        ...nullable('Reply, in one document. Null while running.'),
        resolve: ({ generation }, _args, context) => generation && contentOf(generation, 'raw', context),
      }),
    }),
  });
}

export const chatCompletionOutput: OutputType<ChatCompletion> = {
  type: 'chat-completion',
  ref: chatCompletionRef,
  assets: ({ state }) => state.choices.flatMap(({ images = [] }) => images.map(toAsset)),
  texts: ({ state }) => state.choices.map(({ content = '' }) => content),
};
