import { basename } from 'node:path';
import { isDuckDbError, type DuckDbSession } from '../../store/duckdb-store.ts';
import { firstLine } from '../embedded/query-error.ts';
import { SourceError } from '../source-error.ts';
import type { AttachedFile } from './inspected-file.ts';
import { readerSql } from './read-plan.ts';

/** Words of DuckDB's messages about the bytes of a Parquet file, most of which name no file. */
const aboutBytes = /buffer|compress|corrupt|gzip|page|parquet|thrift|tprotocol|zstd/i;

/** The error with the name of the damaged Parquet file, which is found by reading each one; undefined for other errors. */
export async function damagedParquet(
  session: DuckDbSession,
  attached: readonly AttachedFile[],
  error: unknown,
): Promise<SourceError | undefined> {
  if (!isDuckDbError(error) || !['file-malformed', 'other'].includes(error.failure.kind)) return undefined;
  const { message } = error.failure;
  if (!aboutBytes.test(message)) return undefined;
  for (const { file, readFrom } of attached) {
    if (file.plan.kind !== 'parquet') continue;
    try {
      await session.query(`SELECT count(hash(COLUMNS(*))) FROM ${readerSql(file.plan, readFrom)}`);
    } catch (cause) {
      const said = `${basename(file.path)}: ${firstLine(message).replace(/\.$/, '')}.`;
      return new SourceError('file-malformed', said, {
        file: file.path,
        remedy: 'The file is damaged: export it again.',
        cause,
      });
    }
  }
  return undefined;
}
