import type { Caller } from '../../gateway/caller.ts';
import { hasFailureCode } from '../../gateway/decode-error.ts';
import { withoutAbsent } from '../../generations/request-body.ts';
import { type Context, requireCaller } from '../../graphql/context.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import type { CloneVoiceInput } from './inputs.ts';
import { decodeVoicePage, type VoicePage } from './wire.ts';

/** GET /videoa/v1/general/presets-voices; through a short cache per owner, since a catalogue changes slowly. */
export async function readVoicePage(
  context: Context,
  page: { readonly number: number; readonly size: number },
): Promise<VoicePage> {
  const { engine, requestId } = context;
  const caller = requireCaller(context);
  const key = `voices:${caller.owner}:${page.size}:${page.number}`;
  const cached = engine.pages.get(key);
  // Only pages of this capability have keys of this form.
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
    // A failure is nobody's page.
    engine.pages.delete(key);
    throw error;
  }
}

/** POST /speecha/v1/voice_clone; its replies say no under HTTP 200 by a code. */
export function sendClone({ engine, requestId }: Context, caller: Caller, body: JsonObject): Promise<Json> {
  const path = '/speecha/v1/voice_clone';
  return engine.gateway.create({ path, caller, requestId, body, isRefusal: hasFailureCode });
}

export function toCloneBody(input: CloneVoiceInput): JsonObject {
  const sample = input.clonePrompt;
  return withoutAbsent(
    {
      file_id: input.fileId,
      voice_id: input.voiceId,
      clone_prompt: sample && { prompt_audio: sample.promptAudio, prompt_text: sample.promptText },
      text: input.text,
      model: input.model,
      language_boost: input.languageBoost,
      need_noise_reduction: input.needNoiseReduction,
      need_volume_normalization: input.needVolumeNormalization,
      aigc_watermark: input.aigcWatermark,
    },
    input.extra,
  );
}
