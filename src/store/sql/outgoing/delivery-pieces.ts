import type { ExpressionBuilder, ExpressionWrapper, Kysely, SqlBool } from 'kysely';
import type { Database } from '../basics/database.ts';
import type { Tables } from '../basics/tables.ts';

/** Deliveries that one write changes: other writes wait for it, with SQLite all work of the process. */
export const pieceSize = 1000;

type DeliveryExpression = ExpressionBuilder<Tables, 'webhook_deliveries'>;
/** Whether a delivery is of the webhook, and of the piece that is being written. */
type InPiece = (row: DeliveryExpression) => ExpressionWrapper<Tables, 'webhook_deliveries', SqlBool>;

/**
 * Writes to the deliveries of a webhook, a piece at a time, in the order of their ids. If a write fails, those before it stay.
 * Each delivery is read once, as no index finds those that are left: otherwise use `inBatches`.
 * A delivery that is recorded meanwhile may be left out.
 */
export async function writeInPieces(
  { reader, writes }: Database,
  webhookId: string,
  write: (db: Kysely<Tables>, isInPiece: InPiece) => Promise<unknown>,
): Promise<void> {
  let after: string | undefined = '';
  while (after !== undefined) {
    const start: string = after;
    const last = await reader
      .selectFrom('webhook_deliveries')
      .select('event_id')
      .where('webhook_id', '=', webhookId)
      .where('event_id', '>', start)
      .orderBy('event_id')
      .limit(1)
      .offset(pieceSize - 1)
      .executeTakeFirst();
    after = last?.event_id;
    const isInPiece: InPiece = (row) =>
      row.and([
        row('webhook_id', '=', webhookId),
        row('event_id', '>', start),
        ...(last ? [row('event_id', '<=', last.event_id)] : []),
      ]);
    await writes.statement((db) => write(db, isInPiece));
  }
}
