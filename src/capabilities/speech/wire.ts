import { asWideInteger, type Json } from '../../lib/json.ts';
import type { StoredOutput } from '../../store/records.ts';
import { type AddressPlaces, findAddresses } from '../../tasks/find-addresses.ts';
import type { TaskReading } from '../../tasks/task-kinds.ts';
import {
  acknowledgement,
  asAmount,
  asText,
  findMember,
  openEnvelope,
  readTaskRecord,
} from '../../tasks/task-record.ts';

/** A speech synthesis, with the audio once it exists. */
export interface SpeechClip extends StoredOutput {
  readonly type: 'speech-clip';
  readonly audioUrl?: string | undefined;
  readonly durationSeconds?: number | undefined;
  readonly model?: string | undefined;
  readonly prompt?: string | undefined;
  readonly seed?: number | bigint | undefined;
  readonly credits?: number | bigint | undefined;
}

const audioPlaces: AddressPlaces = {
  names: ['audio_url', 'audio', 'url', 'output', 'result', 'audio_file', 'file_url', 'download_url'],
  nestedIn: ['audio', 'audios'],
};

/** Reads the task record from the create, or from a read at the operator's path, which may have the audio. */
export function decodeSpeech(reply: Json): TaskReading {
  const record = openEnvelope(reply);
  const [audio] = findAddresses(reply, audioPlaces);
  const reported = {
    audioUrl: audio?.url,
    durationSeconds: asAmount(audio?.holder['duration']) ?? findMember(record, ['duration'], asAmount),
    model: findMember(record, ['model'], asText),
    prompt: findMember(record, ['prompt'], asText),
    seed: findMember(record, ['seed'], asWideInteger),
    credits: findMember(record, ['credits'], asWideInteger),
  };
  const hasReport = Object.values(reported).some((value) => value !== undefined);
  const output: SpeechClip = { type: 'speech-clip', ...reported };
  return {
    ...readTaskRecord(reply, { hasResult: audio !== undefined }),
    output: hasReport ? output : undefined,
    servedBy: reported.model === undefined ? undefined : { model: reported.model },
  };
}

export const decodeSpeechAcknowledgement = acknowledgement(decodeSpeech);
