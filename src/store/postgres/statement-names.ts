import { createHash } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import { isReused } from '../sql/basics/prepared-query.ts';

/**
 * Each connection holds its named statements and their plans. In PostgreSQL 18, a small one takes 7 KB, and the longest, which
 * ends a chat, 260 KB.
 */
const maxNames = 200;
const maxParameters = 64;

/**
 * Names for the statements that are used often. A connection parses and plans a named statement once, which takes longer than
 * to run a small one. A name belongs to one text, also in other processes, because sessions may be shared unexpectedly.
 */
export interface StatementNames {
  /** The name under which a connection prepares a statement. Undefined for one that is rare or long. */
  find(query: CompiledQuery): string | undefined;
  /** Names no statement any more: the statements of the sessions are not those of the connections, or their results changed. */
  end(): void;
}

export function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  let isOff = false;
  return {
    find(query) {
      const { sql: text, parameters } = query;
      if (isOff || !isReused(query) || parameters.length > maxParameters) return undefined;
      const known = names.get(text);
      if (known !== undefined || names.size >= maxNames) return known;
      const name = `gengraph_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
      names.set(text, name);
      return name;
    },
    end() {
      isOff = true;
    },
  };
}
