import type { HttpClient } from '../http/http-client.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import { zoneOfResult } from '../../query/result-zones.ts';
import { createRowCap } from '../../store/capped-rows.ts';
import type { CellValue, Preview, PreviewOptions } from '../connector.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import { cellReader } from './cell-value.ts';
import { describingStatement, exactStatement } from './core-statement.ts';
import type { ExplainFailure } from './errors.ts';
import type { TrinoConfig } from './read-settings.ts';
import { queryColumn, resultColumns } from './result-columns.ts';
import { openSession } from './session.ts';

/** Dependencies of the operations on a cluster. */
export interface Cluster {
  readonly http: HttpClient;
  readonly config: TrinoConfig;
  readonly explain: ExplainFailure;
  /** Redacts secrets. */
  readonly redact: (text: string) => string;
}

/** Test Query: the core SELECT, limited on the server. */
export async function preview(
  cluster: Cluster,
  query: CompiledQuery,
  { limit, timeoutMs, signal }: PreviewOptions,
): Promise<Preview> {
  const statementTimeoutMs = timeoutMs ?? serverPreviewTimeoutMs(cluster.config);
  const session = openSession({ ...cluster, statementTimeoutMs });
  const columns = resultColumns(await session.columnsOf(describingStatement(query), { signal }));
  const readers = columns.map((column) =>
    cellReader(column, zoneOfResult(query, column.name, cluster.config.timeZone)),
  );
  const started = performance.now();
  const cap = createRowCap<CellValue>(limit);
  // One row more than the limit shows whether there are more.
  for await (const { rows } of session.pages(exactStatement(query, columns, limit + 1), { signal })) {
    if (!rows.every((row) => cap.add(readers.map((read, index) => read(row[index]))))) break;
  }
  const durationMs = Math.round(performance.now() - started);
  return { columns: columns.map(queryColumn), ...cap.result(), durationMs };
}
