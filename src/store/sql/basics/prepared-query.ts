import type { Compilable, CompiledQuery, DialectAdapter, Kysely, QueryResult } from 'kysely';
import { bindPlaceholders, Placeholder } from './placeholders.ts';
import type { Tables } from './tables.ts';

/** By the builder of the query: one for each set of value names. */
export type CompiledQueries = WeakMap<object, readonly Template[]>;

interface Template {
  readonly names: readonly string[];
  readonly query: ReusedQuery;
}

/** A query of few different texts, each of which is used often. */
interface ReusedQuery extends CompiledQuery {
  readonly isReused: true;
}

export function toReused(query: CompiledQuery): ReusedQuery {
  return { ...query, isReused: true };
}

export function isReused(query: CompiledQuery): boolean {
  return 'isReused' in query;
}

/** The adapter of a dialect, if it holds the compiled queries of its connections. */
export interface CompilingAdapter extends DialectAdapter {
  readonly compiledQueries?: CompiledQueries;
}

/** Runs a prepared query with its values. */
export type PreparedQuery<Values, Row> = (db: Kysely<Tables>, values: Values) => Promise<QueryResult<Row>>;

/**
 * A query that is compiled once per dialect and set of value names, because Kysely takes longer to compile a small query than
 * SQLite to run it. `build` receives placeholders instead of values: it may pass them on, but not read them.
 */
export function prepareQuery<Values extends object, Row = unknown>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): PreparedQuery<Values, Row> {
  const compile = (db: Kysely<Tables>, names: readonly string[]): Template => {
    const placeholders: object = Object.fromEntries(names.map((name) => [name, new Placeholder(name)]));
    // The builder only passes them on.
    return { names, query: toReused(build(db, placeholders as Values).compile()) };
  };
  const findTemplate = (db: Kysely<Tables>, values: Values, compiled: CompiledQueries | undefined) => {
    const names = Object.keys(values);
    const templates = compiled?.get(build) ?? [];
    // Names are few and shared, so that comparing them takes less time than joining them to a key.
    const known = templates.find((template) => isEqual(template.names, names));
    if (known) return known;
    const template = compile(db, names);
    compiled?.set(build, [...templates, template]);
    return template;
  };
  return (db, values) => {
    const { compiledQueries }: CompilingAdapter = db.getExecutor().adapter;
    const { query } = findTemplate(db, values, compiledQueries);
    return db.executeQuery<Row>(bindPlaceholders(query, values));
  };
}

function isEqual(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name, place) => name === right[place]);
}
