import { type Kysely, sql } from 'kysely';
import type { Tables } from '../sql/shared/tables.ts';

/**
 * Runs a claim, and rolls it back if its owner is at a limit: the statement then sets a column of `owner_records` to null. A
 * function can catch that error, which would be a line in the log of the database otherwise. Every instance creates it if it is
 * missing. The number in its name changes with its body, so that two versions can run side by side.
 */
const name = 'gengraph_claim_1';
const signature = `${name}(text, text[], text[])`;

/** What the function returns for a claim that it rolled back. */
export const atLimit = 'limit';

/** Call while other instances cannot prepare the database. */
export async function createClaimFunction(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ readonly found: string | null }>`
    select to_regprocedure(${signature})::text as found`.execute(db);
  if (rows[0]?.found !== null) return;
  await sql
    .raw(
      `create function ${name}(statement text, parameters text[], variadic texts text[]) returns text
      language plpgsql as $function$
      declare
        claimed text;
        violated text;
      begin
        execute statement into claimed using parameters, texts;
        return claimed;
      exception when not_null_violation then
        get stacked diagnostics violated = table_name;
        if violated <> 'owner_records' then raise; end if;
        return '${atLimit}';
      end
      $function$`,
    )
    .execute(db);
}

export interface StatementCall {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Longer texts are parameters of their own: in an array, they would be escaped. */
const maxElementChars = 1000;

/** A call of the function. `build` writes the statement, which returns the id of the creation or no row. */
export function callClaimFunction(build: (add: (value: unknown) => string) => string): StatementCall {
  const parameters: string[] = [];
  const texts: string[] = [];
  const statement = build((value) => {
    if (value === null || value === undefined) return 'null';
    if (typeof value === 'number' || typeof value === 'bigint')
      return `$1[${parameters.push(String(value))}]::bigint`;
    if (typeof value !== 'string') throw new TypeError(`no column holds a ${typeof value}`);
    return value.length > maxElementChars ? `$2[${texts.push(value)}]` : `$1[${parameters.push(value)}]`;
  });
  const rest =
    texts.length === 0
      ? "variadic '{}'::text[]"
      : texts.map((_text, index) => `$${index + 3}::text`).join(', ');
  return {
    text: `select ${name}($1::text, $2::text[], ${rest}) as claimed`,
    values: [statement, parameters, ...texts],
  };
}
