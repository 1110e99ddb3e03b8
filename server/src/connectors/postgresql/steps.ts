import type { CompiledQuery, QueryStep } from '../../query/compiled-query.ts';
import type { QueryPurpose } from '../connector.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import { copyStatement, stagedColumns } from './copy-statement.ts';
import type { ExplainError } from './errors.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import { cappedSql } from './preview.ts';
import { describeQuery } from './pull.ts';
import type { ResultColumn } from './result-columns.ts';
import { beginPreview, beginPull, sessionSetup } from './session-setup.ts';
import { openSession } from './session.ts';
import { segmentSql, stagedTableSql } from './stage-segment.ts';

/** The exact statements. Those of an import depend on column types, which the server reports. */
export async function querySteps(
  config: PostgresqlConfig,
  explain: ExplainError,
  query: CompiledQuery,
  purpose: QueryPurpose,
): Promise<readonly QueryStep[]> {
  const core = step('core', 'Core query', query.sql);
  if (purpose.kind === 'preview') {
    return [
      step(
        'setup',
        'Session and transaction',
        `${sessionSetup(config, serverPreviewTimeoutMs(config))}\n${beginPreview}`,
      ),
      core,
      step(
        'wrap',
        `Executed: the core query, capped at ${purpose.limit} rows (one more tells whether there are more)`,
        cappedSql(query, purpose.limit).text,
      ),
    ];
  }
  const result = await describedResult(config, explain, query);
  const target = { table: purpose.table ?? 'staged', columns: stagedColumns(result) };
  const segment = { path: '<temporary file>', longestRow: 0 };
  return [
    step('setup', 'Session, once', sessionSetup(config, config.statementTimeoutMs ?? 0)),
    step('setup', 'Snapshot, once', beginPull),
    core,
    step('setup', 'In DuckDB: the table of the rows', stagedTableSql(target), 'duckdb'),
    step(
      'wrap',
      'Executed: the core query as a stream, with casts to types that DuckDB can stage',
      copyStatement(query, result, undefined).text,
    ),
    step('wrap', 'In DuckDB: each part of the stream', segmentSql(target, segment), 'duckdb'),
  ];
}

function step(
  role: QueryStep['role'],
  title: string,
  text: string,
  dialect: QueryStep['dialect'] = 'postgresql',
): QueryStep {
  return { kind: 'sql', dialect, role, title, text };
}

async function describedResult(
  config: PostgresqlConfig,
  explain: ExplainError,
  query: CompiledQuery,
): Promise<readonly ResultColumn[]> {
  const session = await openSession(config, explain, {
    signal: undefined,
    statementTimeoutMs: serverPreviewTimeoutMs(config),
  });
  try {
    return await describeQuery(session, query, undefined);
  } finally {
    await session.close();
  }
}
