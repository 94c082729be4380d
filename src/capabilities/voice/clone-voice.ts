import { createHmac, timingSafeEqual } from 'node:crypto';
import { checkInput } from '../../generations/check-input.ts';
import { withoutMedia } from '../../generations/without-media.ts';
import type { Asset } from '../../graphql/asset.ts';
import { type Context, requireCaller } from '../../graphql/context.ts';
import type { Engine } from '../../generations/engine.ts';
import { argumentIssues, type CreateCall, idempotencyKeyOf } from '../../graphql/create.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { packId } from '../../lib/ids.ts';
import type { Json } from '../../lib/json.ts';
import { sendClone, toCloneBody } from './client.ts';
import type { CloneVoiceInput } from './inputs.ts';
import { cloneVoiceLimits } from './limits.ts';
import { decodePreview, type Voice } from './wire.ts';

export interface ClonedVoice {
  readonly voice: Voice;
  /** Only in the reply to the clone itself, like everything else that the gateway said: no record holds it. */
  readonly preview?: Asset | undefined;
  readonly raw?: Json | undefined;
}

/** Clones a voice, once. A twin gets the same voice, which the input names. @throws ExpectedError */
export async function cloneVoice(
  { args, context, info }: CreateCall,
  input: CloneVoiceInput,
): Promise<ClonedVoice> {
  const { engine } = context;
  const caller = requireCaller(context);
  const key = idempotencyKeyOf(args, context, info);
  checkInput(cloneVoiceLimits, input, argumentIssues(args));
  const { voiceId } = input;
  const voice: Voice = { id: await clonedVoiceId(engine, caller.owner, voiceId), voiceId };
  return engine.creations.create<ClonedVoice>({
    owner: caller.owner,
    operation: 'cloneVoice',
    input,
    key,
    subjectId: voice.id,
    async send() {
      const reply = await sendClone(context, caller, toCloneBody(input));
      return {
        result: () => ({ voice, preview: decodePreview(reply), raw: withoutMedia(reply) }),
      };
    },
    // The same input, hence the same name and owner.
    replay: async (id) => ({ voice: { id, voiceId } }),
  });
}

/** A voice that this caller cloned here; undefined for an id that we did not give to this caller. */
export async function findClonedVoice(
  context: Context,
  { id, voiceId }: { readonly id: string; readonly voiceId: string },
): Promise<Voice | undefined> {
  const { owner } = requireCaller(context);
  const own = Buffer.from(await clonedVoiceId(context.engine, owner, voiceId));
  const given = Buffer.from(id);
  const isOwn = own.length === given.length && timingSafeEqual(own, given);
  return isOwn ? { id, voiceId } : undefined;
}

/**
 * The gateway documents no read of a cloned voice, so its id vouches for itself: it carries a seal that only we can
 * make, and is given out only once the gateway has accepted the clone.
 */
async function clonedVoiceId({ store }: Engine, owner: string, voiceId: string): Promise<string> {
  const seal = createHmac('sha256', await store.secret())
    .update(canonicalJson(['cloned voice', owner, voiceId]))
    .digest('base64url');
  return packId('voice', ['cloned', voiceId, seal]);
}
