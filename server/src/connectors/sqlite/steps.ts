import type { CompiledQuery, QueryStep } from '../../query/compiled-query.ts';
import type { QueryPurpose } from '../connector.ts';
import type { SqliteConfig } from './read-settings.ts';
import { queryFailure } from './errors.ts';
import { cappedSql } from './preview.ts';
import { rowsStatement, openSession, resultColumns, type ResultColumn } from './session.ts';
import { segmentSql, tableSql } from './stage-segment.ts';

/** The exact statements. Statements of an import depend on column types, which are read from the file. */
export async function querySteps(
  config: SqliteConfig,
  query: CompiledQuery,
  purpose: QueryPurpose,
): Promise<readonly QueryStep[]> {
  const core = step('core', 'Core query', query.sql);
  const before = [step('setup', 'Session, once', 'PRAGMA query_only = ON;\nPRAGMA case_sensitive_like = ON;\nBEGIN')];
  if (purpose.kind === 'preview') {
    const title = `Executed: the core query, capped at ${purpose.limit} rows (one more tells whether there are more)`;
    return [...before, core, step('wrap', title, cappedSql(query, purpose.limit))];
  }
  const target = { table: purpose.table ?? 'staged', columns: await describe(config, query) };
  const segment = { path: '<temporary file>', longestRow: 0 };
  return [
    ...before,
    core,
    step('setup', 'In DuckDB: the table of the rows', tableSql(target), 'duckdb'),
    step('wrap', 'Executed: the core query, each row as a JSON array', rowsStatement(query, target.columns, undefined)),
    step('wrap', 'In DuckDB: each file of rows', segmentSql(target, segment), 'duckdb'),
  ];
}

async function describe(config: SqliteConfig, query: CompiledQuery): Promise<readonly ResultColumn[]> {
  const session = await openSession(config, undefined);
  try {
    return await resultColumns(session, query, undefined);
  } catch (error) {
    throw queryFailure(error, query, config.path);
  } finally {
    session.reader.close();
  }
}

function step(
  role: QueryStep['role'],
  title: string,
  text: string,
  dialect: QueryStep['dialect'] = 'sqlite',
): QueryStep {
  return { kind: 'sql', dialect, role, title, text };
}
