import { withoutAbsent } from '../../generations/request-body.ts';
import { type FilledPath, pathOf } from '../../gateway/path.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { GenerateContentInput } from './inputs.ts';

export function generateContentPath({ model }: GenerateContentInput): FilledPath {
  return pathOf`/v1beta/models/${model}:generateContent`;
}

export function toContentBody({ contents, urlContext, extra }: GenerateContentInput): JsonObject {
  return withoutAbsent(
    {
      contents: contents.map(({ role, parts }) => withoutAbsent({ role, parts: parts.map(toPart) })),
      tools: urlContext ? [{ urlContext: {} }] : undefined,
    },
    extra,
  );
}

/** The prompt: the text of the last turn that is not the model's. */
export function promptOf({ contents }: GenerateContentInput): string | undefined {
  const userTurn = contents.findLast(({ role }) => role !== 'model');
  const text = userTurn?.parts.map((part) => part.text ?? '').join('');
  return text === '' ? undefined : text;
}

function toPart({ text, inlineData }: GenerateContentInput['contents'][number]['parts'][number]): JsonObject {
  return inlineData
    ? { inline_data: { mime_type: inlineData.mimeType, data: inlineData.data } }
    : { text: text ?? '' };
}
