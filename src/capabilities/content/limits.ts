import { z } from 'zod';
import { type CrossRule, type InputLimits, receivedText } from '../../generations/check-input.ts';
import { findSpelling } from '../../generations/member-name.ts';
import { isRecord } from '../../lib/json.ts';
import { isUpstreamId } from '../../tasks/task-kinds.ts';
import type { GenerateContentInput } from './inputs.ts';

/** Both alphabets of RFC 4648, with or without padding. */
function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '');
  return digits !== '' && !/[^A-Za-z\d+/_-]/.test(digits) && digits.length % 4 !== 1;
}

const inlineData = z.object({
  mimeType: z.string().refine((text) => /^[\w.+-]+\/[\w.+-]+(;[^\n\r]*)?$/.test(text), {
    error: 'Must be a MIME type, such as image/png.',
    params: { limit: 'type/subtype' },
  }),
  data: z.string().refine(isBase64, {
    error: 'Must be base64 text without a data URI prefix.',
    params: { limit: 'base64' },
  }),
});

const members = z.object({
  model: z.string().refine(isUpstreamId, {
    error: 'Must be one path segment: printable ASCII characters without space, / and \\.',
    params: { limit: '1 to 500 characters' },
  }),
  contents: z
    .array(z.object({ parts: z.array(z.object({ inlineData: inlineData.nullish() })).min(1) }))
    .min(1),
});

const toolsAreSetOnce: CrossRule<GenerateContentInput> = ({ urlContext, extra }, report) => {
  if (!urlContext || !isRecord(extra)) return;
  for (const [name, value] of Object.entries(extra)) {
    if (!findSpelling(name, ['tools'])) continue;
    report(['extra', name], {
      message: 'urlContext sets tools itself. Omit it and add {"urlContext": {}} to your tools.',
      limit: 'absent with urlContext',
      received: receivedText(value),
    });
  }
};

/** The gateway's document, "Native content generation request". `tools` is undeclared there, but an example sends it. */
export const generateContentLimits: InputLimits<GenerateContentInput> = {
  members,
  rules: { 'extra.tools must be absent with urlContext.': toolsAreSetOnce },
  declared: ['model', 'contents', 'stream'],
};
