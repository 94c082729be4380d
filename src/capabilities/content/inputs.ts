import { builder } from '../../graphql/builder.ts';

const ContentInlineDataInput = builder.inputType('ContentInlineDataInput', {
  description: 'A file as a part of the request. Wire name `inline_data`.',
  fields: (t) => ({
    mimeType: t.string({
      required: true,
      description: 'Its MIME type, e.g. `image/png`. Wire name `mime_type`.',
    }),
    data: t.string({ required: true, description: 'Its bytes in base64; not empty, and no data URI.' }),
  }),
});

const ContentPartInput = builder.inputType('ContentPartInput', {
  description: 'A piece of a turn: text or a file.',
  isOneOf: true,
  fields: (t) => ({
    text: t.string({ description: 'A piece of text.' }),
    inlineData: t.field({ type: ContentInlineDataInput, description: 'A file. Wire name `inline_data`.' }),
  }),
});

const ContentInput = builder.inputType('ContentInput', {
  description: 'One turn of the conversation.',
  fields: (t) => ({
    role: t.string({
      description: 'Who speaks: an open set, commonly `user` and `model`. Not sent when absent.',
    }),
    parts: t.field({
      type: [ContentPartInput],
      required: true,
      description: 'What is said, in order; at least one.',
    }),
  }),
});

export const GenerateContentInput = builder.inputType('GenerateContentInput', {
  description: 'A request in the native format (POST /v1beta/models/{model_id}:generateContent).',
  fields: (t) => ({
    modelId: t.string({
      required: true,
      description:
        'Model id: an open set; 1 to 500 printable ASCII characters without space, `/` and `\\`, since it becomes a part of the path. Wire name `model_id`.',
    }),
    contents: t.field({
      type: [ContentInput],
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

export type GenerateContentInput = typeof GenerateContentInput.$inferInput;
