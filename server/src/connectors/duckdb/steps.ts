import type { CompiledQuery, QueryStep } from '../../query/compiled-query.ts';
import { openScratch } from '../../store/duckdb-store.ts';
import type { QueryPurpose } from '../connector.ts';
import { queryColumn } from '../embedded/column-types.ts';
import { countSql, loadSql } from '../embedded/load-sql.ts';
import { cappedSql } from '../embedded/preview-sql.ts';
import { attach, attachSql, createViewSql, dropViewSql, neededObjects, storedObjects } from './attached-database.ts';
import type { DuckdbSource } from './duckdb-source.ts';
import { explainQueryError } from './errors.ts';

/** The executed statements. The casts of an import depend on the result types, which DuckDB determines. */
export async function querySteps(
  { config, findDatabase }: DuckdbSource,
  query: CompiledQuery,
  purpose: QueryPurpose,
): Promise<readonly QueryStep[]> {
  const path = await findDatabase();
  const session = await openScratch();
  try {
    await attach(session, config, path);
    const objects = await storedObjects(session, config);
    const needed = neededObjects(config, query, objects);
    const before = [
      step('setup', 'The file, read only', attachSql(config, path)),
      ...needed.map((object) => step('setup', `${object.name} as a view`, createViewSql(config, object))),
      step('core', 'Core query', query.sql),
    ];
    if (purpose.kind === 'preview') {
      const title = `Executed: the core query, capped at ${purpose.limit} rows (one more tells whether there are more)`;
      return [...before, step('wrap', title, cappedSql(query, purpose.limit))];
    }
    for (const object of needed) await session.run(createViewSql(config, object));
    const described = await session.describe(query.sql).catch((error: unknown) => {
      throw explainQueryError(
        error,
        query,
        0,
        objects.map(({ name }) => name),
      );
    });
    const columns = described.map(({ name, type }) => queryColumn(name, type));
    const { table = 'staged' } = purpose;
    return [
      ...before,
      step(
        'wrap',
        'Executed: the core query into a table, with casts to the types of a graph',
        loadSql(query, table, columns, undefined).sql,
      ),
      step('setup', 'What it has read', countSql(table)),
      ...needed.map((object) => step('setup', `The view of ${object.name} goes`, dropViewSql(object))),
    ];
  } finally {
    await session.close();
  }
}

function step(role: QueryStep['role'], title: string, text: string): QueryStep {
  return { kind: 'sql', dialect: 'duckdb', role, title, text };
}
