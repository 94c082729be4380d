import type { Graph } from '../../graphql/graph.ts';

function contentInlineDataInput({ builder }: Graph) {
  return builder.inputType('ContentInlineDataInput', {
    description: 'A file as a part of the request. Wire name `inline_data`.',
    fields: (t) => ({
      mimeType: t.string({
        required: true,
        description: 'Its MIME type, e.g. `image/png`. Wire name `mime_type`.',
      }),
      data: t.string({ required: true, description: 'Its bytes in base64; not empty, and no data URI.' }),
    }),
  });
}

function contentPartInput({ builder, use }: Graph) {
  return builder.inputType('ContentPartInput', {
    description: 'A piece of a turn: text or a file.',
    isOneOf: true,
    fields: (t) => ({
      text: t.string({ description: 'A piece of text.' }),
      inlineData: t.field({
        type: use(contentInlineDataInput),
        description: 'A file. Wire name `inline_data`.',
      }),
    }),
  });
}

function contentInput({ builder, use }: Graph) {
  return builder.inputType('ContentInput', {
    description: 'One turn of the conversation.',
    fields: (t) => ({
      role: t.string({
        description: 'Who speaks: an open set, commonly `user` and `model`. Not sent when absent.',
      }),
      parts: t.field({
        type: [use(contentPartInput)],
        required: true,
        description: 'What is said, in order; at least one.',
      }),
    }),
  });
}

export function generateContentInput({ builder, use }: Graph) {
  return builder.inputType('GenerateContentInput', {
    description: 'A request in the native format (POST /v1beta/models/{model_id}:generateContent).',
    fields: (t) => ({
      modelId: t.string({
        required: true,
        description:
          'Model id: an open set; 1 to 500 printable ASCII characters without space, `/` and `\\`, since it becomes a part of the path. Wire name `model_id`.',
      }),
      contents: t.field({
        type: [use(contentInput)],
        required: true,
        description: 'The conversation, oldest first; at least one turn.',
      }),
      urlContext: t.boolean({
        description:
          'Let the model read the addresses that the text names; false when absent. Sent as `tools: [{"urlContext": {}}]`, hence not beside `tools` in `extra`.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further members of the request body, such as `generationConfig`, `safetySettings`, `systemInstruction`, `tools`: a JSON object with their wire names. What has a field of its own here, and `stream`, is refused.',
      }),
    }),
  });
}

export type GenerateContentInput = ReturnType<typeof generateContentInput>['$inferInput'];
