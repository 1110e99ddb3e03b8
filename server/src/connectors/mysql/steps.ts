import type { CompiledQuery, QueryStep } from '../../query/compiled-query.ts';
import type { QueryPurpose } from '../connector.ts';
import type { MysqlConfig } from './read-settings.ts';
import { exactStatement } from './core-statement.ts';
import type { ExplainError } from './errors.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import { describeQuery } from './pull.ts';
import { stagedColumns } from './result-columns.ts';
import type { Server } from './server.ts';
import { beginPreview, beginPull, sessionSetup } from './session-setup.ts';
import { openSession } from './session.ts';
import { segmentSql, stagedTableSql } from '../segments/stage-segment.ts';
import { narrowingSteps } from '../segments/wide-decimals.ts';

/** The exact statements. They depend on the server and on column types, which it reports. */
export async function querySteps(
  config: MysqlConfig,
  explain: ExplainError,
  query: CompiledQuery,
  purpose: QueryPurpose,
): Promise<readonly QueryStep[]> {
  const session = await openSession(config, explain, {
    signal: undefined,
    statementTimeoutMs: serverPreviewTimeoutMs(config),
  });
  try {
    const { server } = session;
    const core = step('core', 'Core query', query.sql);
    const result = await describeQuery(session, query, undefined);
    if (purpose.kind === 'preview') {
      return [
        step('setup', 'Session and transaction', setup(server, serverPreviewTimeoutMs(config), beginPreview)),
        core,
        step(
          'wrap',
          `Executed: the core query, capped at ${purpose.limit} rows (one more tells whether there are more)`,
          exactStatement(query, result, purpose.limit + 1).text,
        ),
      ];
    }
    const target = { table: purpose.table ?? 'staged', columns: stagedColumns(result) };
    return [
      step('setup', 'Session and snapshot, once', setup(server, config.statementTimeoutMs ?? 0, beginPull)),
      core,
      step('setup', 'In DuckDB: the table of the rows', stagedTableSql(target), 'duckdb'),
      step('wrap', 'Executed: the core query as a stream', exactStatement(query, result, undefined).text),
      step(
        'wrap',
        'In DuckDB: each part of the stream',
        segmentSql(target, { path: '<temporary file>', longestRow: 0 }),
        'duckdb',
      ),
      ...narrowingSteps(target).map(({ title, sql }) => step('wrap', title, sql, 'duckdb')),
    ];
  } finally {
    await session.close();
  }
}

function setup(server: Server, statementTimeoutMs: number, begin: string): string {
  return [...sessionSetup(server, statementTimeoutMs), begin].map((sql) => `${sql};`).join('\n');
}

function step(
  role: QueryStep['role'],
  title: string,
  text: string,
  dialect: QueryStep['dialect'] = 'mysql',
): QueryStep {
  return { kind: 'sql', dialect, role, title, text };
}
