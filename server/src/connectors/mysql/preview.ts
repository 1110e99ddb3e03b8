import type { CompiledQuery } from '../../query/compiled-query.ts';
import { createRowCap } from '../../store/capped-rows.ts';
import type { CellValue, Preview, PreviewOptions } from '../connector.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import { cellReader } from './cell-value.ts';
import type { MysqlConfig } from './read-settings.ts';
import { exactStatement, limitedStatement } from './core-statement.ts';
import type { ExplainError } from './errors.ts';
import { queryColumn, resultColumns } from './result-columns.ts';
import { beginPreview } from './session-setup.ts';
import { openSession } from './session.ts';

/** Test Query: the core SELECT in its own read-only transaction, limited on the server. */
export async function preview(
  config: MysqlConfig,
  explain: ExplainError,
  query: CompiledQuery,
  { limit, timeoutMs, signal }: PreviewOptions,
): Promise<Preview> {
  const session = await openSession(config, explain, {
    signal,
    statementTimeoutMs: timeoutMs ?? serverPreviewTimeoutMs(config),
  });
  try {
    await session.run(beginPreview, signal);
    const columns = resultColumns(await session.columnsOf(limitedStatement(query, undefined), signal));
    const readers = columns.map((column) => cellReader(column, config.timeZone));
    const started = performance.now();
    const cap = createRowCap<CellValue>(limit);
    // One row more than the limit shows whether there are more.
    await session.eachRow(
      exactStatement(query, columns, limit + 1),
      {
        onRow(row) {
          const cells = readers.map((read, index) => read(row[index] ?? null));
          return cap.add(cells) || cap.result().sizeLimit === undefined;
        },
      },
      signal,
    );
    const durationMs = Math.round(performance.now() - started);
    return { columns: columns.map(queryColumn), ...cap.result(), durationMs };
  } finally {
    await session.close();
  }
}
