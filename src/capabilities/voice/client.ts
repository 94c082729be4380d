import { hasFailureCode } from '../../gateway/decode-error.ts';
import { withoutAbsent } from '../../generations/request-body.ts';
import type { Operation } from '../../generations/engine.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { CloneVoiceInput } from './inputs.ts';
import { decodeVoicePage, type VoicePage } from './wire.ts';

/** GET /videoa/v1/general/presets-voices, through a short-lived cache per owner. */
export async function readVoicePage(
  { engine, caller, requestId }: Operation,
  page: { readonly number: number; readonly size: number },
): Promise<VoicePage> {
  const key = `voices:${caller.owner}:${page.size}:${page.number}`;
  const cached = engine.pages.get(key);
  // Only this capability uses keys of this form.
  if (cached) return (await cached) as VoicePage;
  const read = engine.gateway
    .read({
      path: '/videoa/v1/general/presets-voices',
      query: { pageNum: page.number, pageSize: page.size },
      caller,
      requestId,
    })
    .then(decodeVoicePage);
  engine.pages.set(key, read);
  try {
    return await read;
  } catch (error) {
    // Failures are not cached.
    engine.pages.delete(key);
    throw error;
  }
}

function toCloneBody(input: CloneVoiceInput): JsonObject {
  const sample = input.sample;
  return withoutAbsent(
    {
      file_id: input.fileId,
      voice_id: input.voiceId,
      clone_prompt: sample && { prompt_audio: sample.fileId, prompt_text: sample.transcript },
      text: input.previewText,
      model: input.previewModel,
      language_boost: input.language,
      need_noise_reduction: input.reduceNoise,
      need_volume_normalization: input.normalizeVolume,
      aigc_watermark: input.watermark,
    },
    input.extra,
  );
}

/** POST /speecha/v1/voice_clone. The gateway reports a refusal as HTTP 200 with an error code. */
export const cloneRequest = {
  path: '/speecha/v1/voice_clone',
  isRefusal: hasFailureCode,
  toBody: toCloneBody,
} as const;
