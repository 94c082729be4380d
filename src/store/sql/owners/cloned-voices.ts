import type { Kysely } from 'kysely';
import type { Store } from '../../store.ts';
import { toNameColumn } from '../basics/columns.ts';
import type { Tables } from '../basics/tables.ts';

export function createClonedVoiceRecords(db: Kysely<Tables>): Pick<Store, 'hasClonedVoice'> {
  return {
    async hasClonedVoice(owner, voiceId) {
      const row = await db
        .selectFrom('cloned_voices')
        .select('voice_id')
        .where('owner', '=', owner)
        .where('voice_id', '=', toNameColumn(voiceId))
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

/** Call within a transaction. */
export async function insertClonedVoice(db: Kysely<Tables>, owner: string, voiceId: string): Promise<void> {
  await db
    .insertInto('cloned_voices')
    .values({ owner, voice_id: toNameColumn(voiceId) })
    .onConflict((conflict) => conflict.columns(['owner', 'voice_id']).doNothing())
    .execute();
}
