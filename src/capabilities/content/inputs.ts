import { builder } from '../../graphql/builder.ts';

const ContentInlineDataInput = builder.inputType('ContentInlineDataInput', {
  description: 'A file, inline. Wire name `inline_data`.',
  fields: (t) => ({
    mimeType: t.string({
      required: true,
      description: 'What it is, e.g. `image/png`. Wire name `mime_type`.',
    }),
    data: t.string({ required: true, description: 'Its bytes in base64; not empty, and no data URI.' }),
  }),
});

const ContentPartInput = builder.inputType('ContentPartInput', {
  description: 'A piece of a turn.',
  isOneOf: true,
  fields: (t) => ({
    text: t.string({ description: 'Text.' }),
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
  description: 'A request in the native format (POST /v1beta/models/{model}:generateContent).',
  fields: (t) => ({
    model: t.string({
      required: true,
      description:
        'Model id: an open set. It is one segment of the path: 1 to 500 printable ASCII characters, without space, `/` and `\\`. Named `model_id` there.',
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
        'An object of further members of the request body, such as `generationConfig`, `safetySettings`, `systemInstruction`, `tools`. Declared members and `stream` are refused here.',
    }),
  }),
});

export type GenerateContentInput = typeof GenerateContentInput.$inferInput;
