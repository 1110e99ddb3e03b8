import { quoteLiteral } from '../../query/quote.ts';
import type { CompiledQuery, QueryStep } from '../../query/compiled-query.ts';
import type { QueryPurpose } from '../connector.ts';
import { segmentSql, stagedTableSql } from '../segments/stage-segment.ts';
import { exactStatement } from './core-statement.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import type { Cluster } from './preview.ts';
import { describeQuery } from './pull.ts';
import { stagedColumns } from './result-columns.ts';
import { sessionProperties } from './session-headers.ts';
import { beginPull, openSession } from './session.ts';

/** The exact statements. They depend on column types, which the server reports. */
export async function querySteps(
  cluster: Cluster,
  query: CompiledQuery,
  purpose: QueryPurpose,
): Promise<readonly QueryStep[]> {
  const { config } = cluster;
  const session = openSession({ ...cluster, statementTimeoutMs: serverPreviewTimeoutMs(config) });
  const result = await describeQuery(session, query, {});
  const core = step('core', 'Core query', query.sql);
  if (purpose.kind === 'preview') {
    return [
      ...setup('Session', cluster, serverPreviewTimeoutMs(config), []),
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
    ...setup('Session and transaction, once', cluster, config.statementTimeoutMs, [beginPull]),
    core,
    step('setup', 'In DuckDB: the table of the rows', stagedTableSql(target), 'duckdb'),
    step('wrap', 'Executed: the core query, page by page', exactStatement(query, result, undefined).text),
    step(
      'wrap',
      'In DuckDB: each part of the pages',
      segmentSql(target, { path: '<temporary file>', longestRow: 0 }),
      'duckdb',
    ),
  ];
}

/** The session headers of requests, shown as equivalent statements. */
function setup(
  title: string,
  { config, redact }: Cluster,
  statementTimeoutMs: number | undefined,
  further: readonly string[],
): readonly QueryStep[] {
  const { roles } = config;
  const properties = Object.entries(sessionProperties(config, statementTimeoutMs));
  const lines = [
    `SET TIME ZONE 'UTC'`,
    ...Object.entries(roles).map(
      ([catalog, role]) => `SET ROLE ${role}${catalog === 'system' ? '' : ` IN ${catalog}`}`,
    ),
    ...properties.map(([name, value]) => `SET SESSION ${name} = ${quoteLiteral(value, 'trino')}`),
    ...further,
  ];
  return [step('setup', title, redact(lines.map((line) => `${line};`).join('\n')))];
}

function step(
  role: QueryStep['role'],
  title: string,
  text: string,
  dialect: QueryStep['dialect'] = 'trino',
): QueryStep {
  return { kind: 'sql', dialect, role, title, text };
}
