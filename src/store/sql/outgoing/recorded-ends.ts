/** A trigger of the engine records an end when a statement sets one of these columns. */
export const endColumns = 'status, is_visible, finished_at, error, ended_for';

/**
 * SQL condition over `old` and `new`: clients see another end of the generation than before. An output or usage that is added to an
 * end is none.
 */
export const isEnd = `
  new.finished_at is not null and new.is_visible = 1 and (
    old.finished_at is null or old.is_visible = 0 or new.status <> old.status
    or new.error is distinct from old.error or (old.ended_for is not null and new.ended_for is null)
  )`;

/** Columns of a delivery that are those of its generation. */
const copied = [
  'owner',
  'kind',
  'status',
  'model',
  'group_id',
  'task_id',
  'created_at',
  'finished_at',
  'usage',
  'error',
].map((name) => `"${name}"`);

export interface RecordingSql {
  /** Expression: the id of the new event. */
  readonly eventId: string;
  /** Expression: the time of the database in milliseconds. */
  readonly now: string;
  /** The function that finds a text in another: (text, part). */
  readonly find: 'instr' | 'strpos';
  /** The function of a character by its code. */
  readonly char: 'char' | 'chr';
}

/** Statement that writes the deliveries of an end. */
export function insertDeliveries(engine: RecordingSql): string {
  return `
    insert into webhook_deliveries (webhook_id, event_id, corrects, generation_id, ${copied.join(', ')}, recorded_at)
    select webhooks.id, ${engine.eventId}, old.end_event, new.id, ${copied.map((name) => `new.${name}`).join(', ')}, ${engine.now}
    from webhooks where ${isWanted(engine)}`;
}

/**
 * SQL condition: a webhook gets the end. A correction goes to webhooks of any status, because it may replace an end that they
 * got.
 */
export function isWanted({ find, char }: Pick<RecordingSql, 'find' | 'char'>): string {
  const allows = (list: string, value: string): string =>
    `(${list} = '' or ${find}(${list}, ${char}(10) || ${value} || ${char}(10)) > 0)`;
  return `
    webhooks.owner in ('', new.owner) and is_active = 1 and ${allows('kinds', 'new.kind')}
    and ${allows('collections', 'new.group_id')}
    and (old.end_event is not null or ${allows('statuses', 'new.status')})`;
}
