import { requireBearerKey } from '../access/credentials.ts';
import type { Token } from '../access/tokens.ts';
import { getJsonBody, getOrigin, replyJson, type Handler, type Services } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import { openBill } from '../tasks/billing.ts';
import { disturbCreation, findFaults, refuseCreation, type Faults } from '../tasks/faults.ts';
import { getKnownVoices, type KnownVoice } from '../voices/known-voices.ts';
import { cloneRequest, type CloneRequest } from './requests.ts';

/** Quota units of one voice. */
const unitsPerVoice = 75_000;

/** What a token's list of models may have instead of the preview's model, and a clone without preview has. */
const modelName = 'voice-clone';

/** `POST /speecha/v1/voice_clone`: answers at once; the voice can speak from then on. */
export const handleClone: Handler = async (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  const request = decodeStrictly(cloneRequest, getJsonBody(exchange));
  const models = [request.model ?? modelName, modelName] as const;
  const charge = openBill(services, { token, models, units: unitsPerVoice });
  const faults = findFaults([request.text ?? '']);
  const refused = refuseCreation(faults);
  if (refused) return refused;

  const voice = clone(services, token, { request, faults });
  if ('problem' in voice) return replyJson(exchange, toReply(voice.problem));
  charge();
  const demo = publishDemo(services, request, voice);
  const demoAudio = demo === undefined ? '' : getOrigin(exchange) + demo;
  const disturbed = await disturbCreation(exchange, faults);
  return disturbed ?? replyJson(exchange, toReply(success, demoAudio));
};

/** How the family says that it did what was asked, or why not: always under HTTP 200. */
interface Outcome {
  readonly code: number;
  readonly message: string;
}

const success: Outcome = { code: 0, message: 'success' };
const internalError: Outcome = { code: 1013, message: 'internal error' };
const duplicate: Outcome = { code: 2039, message: 'voice clone voice id duplicate' };

/** What is wrong with files elsewhere cannot be seen from here: these ids stand for such files. */
const fileProblems: ReadonlyMap<number | bigint, Outcome> = new Map([
  [404, { code: 2013, message: 'invalid params, file not found' }],
  [413, { code: 2013, message: 'invalid params, the file is larger than 20 MB' }],
  [415, { code: 2013, message: 'invalid params, the file is not mp3, m4a or wav' }],
  [422, { code: 2013, message: 'invalid params, the audio is not between 10 seconds and 5 minutes long' }],
]);

function clone(
  services: Services,
  token: Token,
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

/** The path of the preview, where one was asked for. */
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
