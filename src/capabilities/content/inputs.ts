import type { Graph } from '../../graphql/graph.ts';

function contentInlineDataInput({ builder }: Graph) {
  return builder.inputType('ContentInlineDataInput', {
    description: 'Inline file.',
    fields: (t) => ({
      mimeType: t.string({
        required: true,
        description: 'MIME type, such as `image/png`.',
      }),
      data: t.string({ required: true, description: 'Base64 data, not empty, without a data URI prefix.' }),
    }),
  });
}

function contentPartInput({ builder, use }: Graph) {
  return builder.inputType('ContentPartInput', {
    description: 'Part of a turn: text or a file.',
    isOneOf: true,
    fields: (t) => ({
      text: t.string({ description: 'Text.' }),
      inlineData: t.field({
        type: use(contentInlineDataInput),
        description: 'File.',
      }),
    }),
  });
}

function contentInput({ builder, use }: Graph) {
  return builder.inputType('ContentTurnInput', {
    description: 'Turn of the conversation.',
    fields: (t) => ({
      parts: t.field({
        type: [use(contentPartInput)],
        required: true,
        description: 'Parts in order, at least one.',
      }),
      role: t.string({
        description: 'Author, usually `user` or `model`.',
      }),
    }),
  });
}

export function generateContentInput({ builder, use }: Graph) {
  return builder.inputType('GenerateContentInput', {
    description: 'Request in the native format.',
    fields: (t) => ({
      model: t.string({
        required: true,
        description: 'Model id, 1 to 200 printable ASCII characters without space, `/` and `\\`.',
      }),
      contents: t.field({
        type: [use(contentInput)],
        required: true,
        description: 'Oldest first, at least one.',
      }),
      urlContext: t.boolean({
        description: 'Let the model read URLs in the text. Excludes `tools` in `extra`. Default: false.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          'Other members, such as `generationConfig`, `safetySettings`, `systemInstruction` or `tools`.',
      }),
    }),
  });
}

export type GenerateContentInput = ReturnType<typeof generateContentInput>['$inferInput'];
