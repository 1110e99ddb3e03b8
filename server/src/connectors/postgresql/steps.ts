import type { CompiledQuery, QueryStep } from '../../query/compiled-query.ts';
import type { QueryPurpose } from '../connector.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import { copyStatement, stagedColumns } from './copy-statement.ts';
import type { ExplainError } from './errors.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import { cappedSql } from './preview.ts';
import { openFingerprints } from './fingerprint.ts';
import { describeQuery } from './pull.ts';
import type { ResultColumn } from './result-columns.ts';
import { beginPreview, beginPull, sessionSetup } from './session-setup.ts';
import { openSession } from './session.ts';
import { type Watermark, watermarkOf } from './watermark.ts';
import { halvesOf, sharedSnapshot } from './two-connections.ts';
import { stagedTableSql } from '../segments/stage-segment.ts';
import { segmentSql } from './stage-segment.ts';
import { narrowingSteps } from '../segments/wide-decimals.ts';

/** The exact statements. Statements of an import depend on column types, which the server reports. */
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
  const { result, watermark, halves } = await described(config, explain, query);
  const target = { table: purpose.table ?? 'staged', columns: stagedColumns(result), hasPlainTexts: true as const };
  const segment = { path: '<temporary file>', longestRow: 0 };
  return [
    step('setup', 'Session, once', sessionSetup(config, config.statementTimeoutMs ?? 0)),
    step('setup', 'Snapshot, once', beginPull),
    core,
    step('setup', 'In DuckDB: the table of the rows', stagedTableSql(target), 'duckdb'),
    ...(watermark ? renewSteps(watermark) : []),
    ...(halves
      ? [step('setup', 'Second connection, once, after its session: the same snapshot', sharedSnapshot('…'))]
      : []),
    ...(halves ?? [query]).map((part, index) =>
      step(
        'wrap',
        `${executedTitle(config, query, watermark)}${halves ? ` over connection ${index + 1}` : ''}: the core query as a stream, with casts to types that DuckDB can stage`,
        copyStatement(part, result, undefined).text,
      ),
    ),
    step('wrap', 'In DuckDB: each part of the stream', segmentSql(target, segment), 'duckdb'),
    ...narrowingSteps(target).map(({ title, sql }) => step('wrap', title, sql, 'duckdb')),
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

/** The statements of an import that finds rows in the row cache. */
function renewSteps(watermark: Watermark): readonly QueryStep[] {
  const since = '<newest value of the import before, less a margin>';
  const { column, isFiltered } = watermark;
  return [
    step('setup', `With cached rows: rows with a new ${column}`, watermark.changedRows(since).sql),
    ...(isFiltered
      ? [step('setup', 'With cached rows: the keys of rows to replace', watermark.changedKeys(since).sql)]
      : []),
    step(
      'setup',
      'With cached rows: compare their number with the source; if it differs, read all rows',
      watermark.countSql,
    ),
  ];
}

function executedTitle(
  { watermarks, incremental }: PostgresqlConfig,
  { dataObjects }: CompiledQuery,
  watermark: Watermark | undefined,
): string {
  if (watermark) return 'Executed without cached rows';
  const named = incremental ? dataObjects.find((name) => watermarks.has(name)) : undefined;
  return named === undefined
    ? 'Executed'
    : `Read whole, although watermarks names ${named}, as rows are not those of one table with its primary key`;
}

async function described(
  config: PostgresqlConfig,
  explain: ExplainError,
  query: CompiledQuery,
): Promise<{
  readonly result: readonly ResultColumn[];
  readonly watermark?: Watermark | undefined;
  readonly halves?: readonly CompiledQuery[] | undefined;
}> {
  const session = await openSession(config, explain, {
    signal: undefined,
    statementTimeoutMs: serverPreviewTimeoutMs(config),
  });
  try {
    const result = await describeQuery(session, query, undefined);
    await session.run(beginPull, undefined);
    const halves = config.pullConnections > 1 ? await halvesOf(session, query, undefined) : undefined;
    if (!config.incremental || config.watermarks.size === 0) return { result, halves };
    return {
      result,
      halves,
      watermark: await watermarkOf(session, config, openFingerprints(session), query, undefined),
    };
  } finally {
    await session.close();
  }
}
