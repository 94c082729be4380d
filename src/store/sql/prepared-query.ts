import type {
  Compilable,
  CompiledQuery,
  DatabaseConnection,
  DialectAdapter,
  Kysely,
  QueryResult,
} from 'kysely';
import { Placeholder } from './placeholders.ts';
import type { Tables } from './tables.ts';

/** By the builder of the query, then by the names of its values. */
export type CompiledQueries = WeakMap<object, Map<string, CompiledQuery>>;

/** The adapter of a dialect, if it holds the compiled queries of its connections. */
export interface CompilingAdapter extends DialectAdapter {
  readonly compiledQueries?: CompiledQueries;
  /** The connection of all queries, if their user holds it. */
  readonly heldConnection?: DatabaseConnection;
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
  const compile = (db: Kysely<Tables>, names: readonly string[]): CompiledQuery => {
    const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)]));
    // The builder only passes them on.
    return build(db, placeholders as unknown as Values).compile();
  };
  return async (db, values) => {
    const names = Object.keys(values);
    const { compiledQueries, heldConnection } = db.getExecutor().adapter as CompilingAdapter;
    const templates = compiledQueries?.get(build) ?? new Map<string, CompiledQuery>();
    const id = names.join();
    let template = templates.get(id);
    if (!template) {
      templates.set(id, (template = compile(db, names)));
      compiledQueries?.set(build, templates);
    }
    const parameters = template.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    const query = { ...template, parameters };
    return heldConnection ? heldConnection.executeQuery<Row>(query) : db.executeQuery<Row>(query);
  };
}
