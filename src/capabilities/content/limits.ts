import { z } from 'zod';
import { type ExpressedRule, type InputLimits, receivedText } from '../../generations/check-input.ts';
import { spellingsOf } from '../../generations/member-name.ts';
import { modelPathSegment } from '../../generations/model-name.ts';
import { hasValue, matches, may, when } from '../../generations/rule-schemas.ts';
import { base64Pattern, isBase64 } from '../../lib/base64.ts';
import { isRecord } from '../../lib/json.ts';
import type { GenerateContentInput } from './inputs.ts';

const inlineData = z.object({
  mimeType: z
    .string()
    .refine(
      ...matches(
        /^[\w.+-]+\/[\w.+-]+(;[^\n\r]*)?$/,
        'Must be a MIME type, such as image/png.',
        'type/subtype',
      ),
    ),
  data: z.string().refine(isBase64, {
    error: 'Must be base64 text without a data URI prefix.',
    params: { limit: 'base64 of whole bytes', schema: { pattern: `^${base64Pattern}` }, isPart: true },
  }),
});

const members = z.object({
  model: modelPathSegment,
  contents: z
    .array(z.object({ parts: z.array(z.object({ inlineData: inlineData.nullish() })).min(1) }))
    .min(1),
});

const toolsAreSetOnce: ExpressedRule<GenerateContentInput> = {
  schema: when(hasValue('urlContext', true), may('extra', { propertyNames: { not: { const: 'tools' } } })),
  isPart: true,
  check({ urlContext, extra }, report) {
    if (!urlContext || !isRecord(extra)) return;
    const findSpelling = spellingsOf(['tools']);
    for (const [name, value] of Object.entries(extra)) {
      if (findSpelling(name) === undefined) continue;
      report(['extra', name], {
        message: 'urlContext sets tools itself. Omit it and add {"urlContext": {}} to your tools.',
        limit: 'absent with urlContext',
        received: receivedText(value),
      });
    }
  },
};

/** The gateway's document, "Native content generation request". `tools` is undeclared there, but an example sends it. */
export const generateContentLimits: InputLimits<GenerateContentInput> = {
  members,
  rules: { 'extra.tools must be absent with urlContext, in any spelling.': toolsAreSetOnce },
  declared: ['model', 'contents', 'stream'],
};
