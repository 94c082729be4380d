import { z } from 'zod';
import { requireBearerKey } from '../access/credentials.ts';
import { getMediaOrigin, getQuery, replyJson, type Handler } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import { presetVoices, type PresetVoice } from './catalogue.ts';

/** `GET /videoa/v1/general/presets-voices` */
export const handlePresetVoices: Handler = (exchange, services) => {
  requireBearerKey(exchange, services);
  const query = getQuery(exchange, ['pageNum', 'pageSize']);
  const { pageNum, pageSize } = decodeStrictly(pageQuery, query, 'the query');
  const origin = getMediaOrigin(exchange);
  const page = presetVoices.slice((pageNum - 1) * pageSize, pageNum * pageSize);
  return replyJson(exchange, {
    code: 0,
    message: 'SUCCEED',
    request_id: crypto.randomUUID(),
    data: page.map((voice) => toItem(voice, origin)),
  });
};

/** The family wraps each voice like the result of a task, one voice per item. */
function toItem(voice: PresetVoice, origin: string): Record<string, unknown> {
  return {
    task_id: voice.taskId,
    task_status: 'succeed',
    task_result: {
      voices: [
        {
          voice_id: voice.id,
          voice_name: voice.name,
          trial_url: `${origin}/assets/voices/${voice.id}.wav`,
          owned_by: 'preset',
          language: voice.language,
          gender: voice.gender,
          style: voice.style,
        },
      ],
    },
    created_at: voice.createdAtMs,
    updated_at: voice.createdAtMs,
  };
}

const digits = z
  .string()
  .regex(/^\d{1,9}$/, 'expected a whole number')
  .transform(Number);
const pageQuery = z.strictObject({
  pageNum: digits.pipe(z.int().min(1)).default(1),
  pageSize: digits.pipe(z.int().min(1).max(500)).default(30),
});
