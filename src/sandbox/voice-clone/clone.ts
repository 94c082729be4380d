import { requireBearerKey } from '../access/credentials.ts';
import { getJsonBody, getMediaOrigin, replyJson, type Handler, type Services } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import type { Faults } from '../tasks/faults.ts';
import { replyPaidWork, type Call } from '../tasks/paid-work.ts';
import { getKnownVoices, type KnownVoice } from '../voices/known-voices.ts';
import { cloneRequest, type CloneRequest } from './requests.ts';

const unitsPerVoice = 75_000;

/** The model of a clone without a preview. A token's model list can name it for clones with a preview too. */
const modelName = 'voice-clone';

/** `POST /speecha/v1/voice_clone`: replies at once, and the voice can speak from then on. */
export const cloneVoice: Handler = (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  const call = { exchange, services, token };
  const request = decodeStrictly(cloneRequest, getJsonBody(exchange));
  return replyPaidWork(call, {
    models: [request.model ?? modelName, modelName],
    units: unitsPerVoice,
    texts: [request.text ?? ''],
    perform: (faults) => {
      const voice = clone(call, { request, faults });
      if ('problem' in voice) return replyJson(exchange, toReply(voice.problem));
      const demo = publishDemo(services, request, voice);
      return toReply(success, demo === undefined ? '' : getMediaOrigin(exchange) + demo);
    },
  });
};

/** The result of a request. This family reports problems with HTTP 200. */
interface Outcome {
  readonly code: number;
  readonly message: string;
}

const success: Outcome = { code: 0, message: 'success' };
const internalError: Outcome = { code: 1013, message: 'internal error' };
const duplicate: Outcome = { code: 2039, message: 'voice clone voice id duplicate' };

/** The ids of unusable files. The sandbox cannot see the files themselves. */
const fileProblems: ReadonlyMap<number | bigint, Outcome> = new Map([
  [404, { code: 2013, message: 'invalid params, file not found' }],
  [413, { code: 2013, message: 'invalid params, the file is larger than 20 MB' }],
  [415, { code: 2013, message: 'invalid params, the file is not mp3, m4a or wav' }],
  [422, { code: 2013, message: 'invalid params, the audio is not between 10 seconds and 5 minutes long' }],
]);

function clone(
  { services, token }: Call,
  { request, faults }: { readonly request: CloneRequest; readonly faults: Faults },
): KnownVoice | { readonly problem: Outcome } {
  const { file_id: fileId, clone_prompt: prompt, voice_id: voiceId } = request;
  const problem = fileProblems.get(fileId) ?? (prompt && fileProblems.get(prompt.prompt_audio));
  if (problem) return { problem };
  const voices = getKnownVoices(services);
  if (voices.isTaken(voiceId)) return { problem: duplicate };
  if (faults.has('failed')) return { problem: internalError };
  return voices.addClone(token, voiceId) ?? { problem: internalError };
}

/** The path of the preview, if the request asks for one. */
function publishDemo(
  { media }: Services,
  { text, model, aigc_watermark: isMarked = false }: CloneRequest,
  { hertz }: KnownVoice,
): string | undefined {
  if (text === undefined || model === undefined) return undefined;
  return media.publish({
    kind: 'speech',
    parts: [text],
    hertz,
    speed: 1,
    loudness: 0,
    emotion: 'calm',
    isMarked,
  });
}

function toReply({ code, message }: Outcome, demoAudio = ''): Record<string, unknown> {
  return {
    input_sensitive: false,
    input_sensitive_type: 0,
    demo_audio: demoAudio,
    base_resp: { status_code: code, status_msg: message },
  };
}
