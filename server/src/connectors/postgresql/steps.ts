import type { CompiledQuery, QueryStep } from '../../query/compiled-query.ts';
import type { QueryPurpose } from '../connector.ts';
import type { PostgresqlConfig } from './config.ts';
import { copyStatement } from './copy-statement.ts';
import type { ExplainError } from './errors.ts';
import { cappedSql, previewTimeoutMs } from './preview.ts';
import { describeQuery } from './pull.ts';
import { beginPreview, beginPull, sessionSetup } from './session-setup.ts';
import { openSession } from './session.ts';

/** The statements that are executed, word for word. Those of an import depend on column types, which the server is asked for. */
export async function querySteps(
  config: PostgresqlConfig,
  explain: ExplainError,
  query: CompiledQuery,
  purpose: QueryPurpose,
): Promise<readonly QueryStep[]> {
  const core = step('core', 'Core query', query.sql);
  if (purpose.kind === 'preview') {
    return [
      step('setup', 'Session and transaction', `${sessionSetup(config, previewTimeoutMs(config))}\n${beginPreview}`),
      core,
      step(
        'wrap',
        `Executed: the core query, capped at ${purpose.limit} rows (one more tells whether there are more)`,
        cappedSql(query, purpose.limit).text,
      ),
    ];
  }
  return [
    step('setup', 'Session and snapshot', `${sessionSetup(config, config.statementTimeoutMs ?? 0)}\n${beginPull}`),
    core,
    step(
      'wrap',
      'Executed: the core query as a stream, with casts to what DuckDB can stage',
      await importStatement(config, explain, query),
    ),
  ];
}

function step(role: QueryStep['role'], title: string, text: string): QueryStep {
  return { kind: 'sql', dialect: 'postgresql', role, title, text };
}

async function importStatement(config: PostgresqlConfig, explain: ExplainError, query: CompiledQuery): Promise<string> {
  const session = await openSession(config, explain, {
    signal: undefined,
    statementTimeoutMs: previewTimeoutMs(config),
  });
  try {
    return copyStatement(query, await describeQuery(session, query, undefined), undefined).text;
  } finally {
    await session.close();
  }
}
