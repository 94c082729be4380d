import { createHmac, timingSafeEqual } from 'node:crypto';
import { LostReplyError } from '../../errors.ts';
import type { Asset } from '../../generations/asset.ts';
import { type CreateCall, type CreateSubject, runCreate } from '../../generations/create.ts';
import type { Engine, Operation } from '../../generations/engine.ts';
import { withoutMedia } from '../../generations/without-media.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { packId } from '../../lib/ids.ts';
import type { Json } from '../../lib/json.ts';
import { confirmsNothing } from '../../tasks/confirms-nothing.ts';
import { readTaskRecord } from '../../tasks/task-record.ts';
import { cloneRequest } from './client.ts';
import type { CloneVoiceInput } from './inputs.ts';
import { cloneVoiceLimits } from './limits.ts';
import { decodePreview, type Voice } from './wire.ts';

export interface ClonedVoice {
  readonly voice: Voice;
  /** Only in the reply to the clone itself. No record holds it. */
  readonly preview?: Asset | undefined;
  readonly raw?: Json | undefined;
}

/** Clones a voice, once. A duplicate gets the same voice, which the input names. @throws ExpectedError */
export async function cloneVoice(call: CreateCall, input: CloneVoiceInput): Promise<ClonedVoice> {
  const { engine, caller } = call;
  const { voiceId } = input;
  const voice: Voice = { id: await clonedVoiceId(engine, caller.owner, voiceId), voiceId };
  const spec = { ...cloneRequest, input, limits: cloneVoiceLimits };
  return runCreate(call, spec, (request): CreateSubject<ClonedVoice> => ({
    subjectId: voice.id,
    async run(claim) {
      const reply = await engine.gateway.create(request);
      const preview = decodePreview(reply);
      if (!preview && confirmsNothing(reply))
        throw new LostReplyError('it does not confirm the voice', { reply });
      const { error } = readTaskRecord(reply, { hasResult: false });
      // It may have been accepted before it failed.
      if (error)
        throw new LostReplyError(`the reply reports a failure: ${error.message}`, {
          reply,
          problem: 'unknown',
        });
      await claim.settle({ clonedVoiceId: voiceId });
      return { voice, preview, raw: withoutMedia(reply) };
    },
    // A replay has the same input, so its `voiceId` is the same.
    replay: async (id) => ({ voice: { id, voiceId } }),
    isShownOnce: ({ raw }) => raw !== undefined,
  }));
}

/** A voice that this caller cloned here; undefined for an id that was not issued to this caller. */
export async function findClonedVoice(
  { engine, caller }: Operation<Pick<Engine, 'store'>>,
  { id, voiceId }: { readonly id: string; readonly voiceId: string },
): Promise<Voice | undefined> {
  const own = Buffer.from(await clonedVoiceId(engine, caller.owner, voiceId));
  const given = Buffer.from(id);
  const isOwn = own.length === given.length && timingSafeEqual(own, given);
  return isOwn ? { id, voiceId } : undefined;
}

/** Like `findClonedVoice`, by the gateway's id. Finds voices whose clone was recorded. */
export async function findClonedVoiceByGatewayId(
  { engine, caller }: Operation<Pick<Engine, 'store'>>,
  voiceId: string,
): Promise<Voice | undefined> {
  if (!(await engine.store.hasClonedVoice(caller.owner, voiceId))) return undefined;
  return { id: await clonedVoiceId(engine, caller.owner, voiceId), voiceId };
}

/**
 * The gateway documents no read of a cloned voice, so the id authenticates itself: it carries a keyed hash that only this
 * server can make, and is issued only after the gateway has accepted the clone.
 */
async function clonedVoiceId(
  { store }: Pick<Engine, 'store'>,
  owner: string,
  voiceId: string,
): Promise<string> {
  const seal = createHmac('sha256', await store.secret())
    .update(canonicalJson(['cloned voice', owner, voiceId]))
    .digest('base64url');
  return packId('voice', ['cloned', voiceId, seal]);
}
