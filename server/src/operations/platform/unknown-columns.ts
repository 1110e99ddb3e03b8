import type { ConnectorContext } from '../../connectors/connector-context.ts';
import { isSourceError } from '../../connectors/source-error.ts';
import type { SourceWriter, StagedColumns } from '../../connectors/source-writer.ts';
import type { DataSource } from '../../model/data-sources.ts';

/** Timeout for reading the columns of the staging table. */
const maxMs = 10_000;

/**
 * Warnings about columns missing in a staging table, whose values are silently dropped. Empty without missing columns,
 * and when the columns cannot be read. Rejects only when `signal` is aborted.
 */
export async function unknownColumnWarnings(
  { open }: SourceWriter,
  source: DataSource,
  context: ConnectorContext,
  staged: StagedColumns,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const limit = AbortSignal.timeout(maxMs);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  try {
    const { writer, close } = await open(source, context);
    try {
      return await writer.staging.unknownColumns(staged, { signal: either });
    } finally {
      close();
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (isSourceError(error) || limit.aborted) return [];
    throw error;
  }
}
