import { defaultPreviewRows } from '../../../../protocol/preview-limits.ts';
import type { CellMark, TestQueryResult } from '../../../../protocol/query-results.ts';
import {
  type ProjectContext,
  type SourcesFile,
  cachedCatalog,
  connectorOf,
  describeSource,
  findSource,
} from '../../project/open-project.ts';
import { buildObjectQuery } from '../../query/object-query.ts';
import { castFailureMarks } from './cell-marks.ts';
import { OperationError } from '../operation-error.ts';
import { type TestQueryOptions, runningQuery } from './query-operations.ts';
import { tableOf } from './result-table.ts';

/** The first rows of a data object with all columns, read-only. Rejects with a `SourceError` or an `OperationError`. */
export async function previewObject(
  sourcesFile: SourcesFile,
  dataSource: string,
  dataObject: string,
  projectContext: ProjectContext,
  { limit = defaultPreviewRows, timeoutMs, signal, onProgress }: TestQueryOptions = {},
): Promise<TestQueryResult> {
  const source = findSource(sourcesFile, dataSource);
  const connector = await connectorOf(sourcesFile, source, projectContext);
  const cancelling = { signal, onProgress };
  try {
    const catalog =
      (await cachedCatalog(sourcesFile, source, projectContext)) ??
      (await describeSource(sourcesFile, source, connector, projectContext, cancelling));
    const query = buildObjectQuery(dataObject, catalog);
    if (!query) {
      throw new OperationError({
        code: 'unknown-data-object',
        message: `The columns of ${dataObject} are not known.`,
        remedy: `Refresh ${dataSource}: the data object may have been removed or renamed, or may not be readable.`,
      });
    }
    onProgress?.(runningQuery);
    const timeout = timeoutMs === undefined ? {} : { timeoutMs };
    const preview = await connector.preview(query, { limit, keepCastFailures: true, ...cancelling, ...timeout });
    const marks = castFailureMarks(preview);
    const warnings = [...(preview.warnings ?? []), ...castFailureWarnings(marks)];
    return { ...tableOf(preview), warnings, ...(marks.length > 0 && { marks }) };
  } finally {
    await connector.close();
  }
}

function castFailureWarnings({ length }: readonly CellMark[]): readonly string[] {
  if (length === 0) return [];
  const [what, each] = length === 1 ? ['1 value is', 'it'] : [`${length} values are`, 'them'];
  return [
    `${what} no value of the column's type: queries and imports stop there. Correct ${each} at the source, or declare another type for the column.`,
  ];
}
