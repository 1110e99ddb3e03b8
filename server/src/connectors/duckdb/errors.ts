import type { CompiledQuery } from '../../query/compiled-query.ts';
import { isDuckDbError } from '../../store/duckdb-store.ts';
import { firstLine, queryError } from '../embedded/query-error.ts';
import { SourceError } from '../source-error.ts';

/** Why a file cannot be attached, in user terms. */
export function attachError(error: unknown, path: string): unknown {
  if (!isDuckDbError(error)) return error;
  const { kind, message } = error.failure;
  const details = { file: path, cause: error };
  if (kind === 'file-locked') {
    return new SourceError('file-unreadable', `${path} is open for writing in another program.`, {
      ...details,
      remedy: 'Close it there, or let that program write a copy for analysis (COPY FROM DATABASE).',
    });
  }
  if (kind === 'permission') {
    return new SourceError('file-unreadable', `${path} may not be read by this user.`, {
      ...details,
      remedy: 'Give yourself read permission for the file.',
    });
  }
  if (kind === 'file-missing') {
    return new SourceError('file-missing', `There is no file ${path}.`, {
      ...details,
      remedy: 'Correct path in the data sources file, or put the file there.',
    });
  }
  if (/encrypt/i.test(message)) {
    return new SourceError('file-unreadable', `${path} is encrypted.`, {
      ...details,
      remedy: 'Write a copy without encryption (COPY FROM DATABASE), and point path at it.',
    });
  }
  if (/(?:storage|serialization|database file) version|newer version of DuckDB|older version/i.test(message)) {
    return new SourceError(
      'file-malformed',
      `${path} has a storage version of DuckDB that cannot be read here: ${firstLine(message)}`,
      { ...details, remedy: 'Write the file again with STORAGE_VERSION for DuckDB 1.5 or earlier.' },
    );
  }
  return new SourceError('file-malformed', `${path} is damaged or incomplete: ${firstLine(message)}`, {
    ...details,
    remedy: 'Copy or create the file again.',
  });
}

/** An error of a query over the attached file, whose core SELECT starts at `coreOffset` of the statement. */
export function explainQueryError(
  error: unknown,
  query: CompiledQuery,
  coreOffset: number,
  objects: readonly string[],
): unknown {
  if (!isDuckDbError(error)) return error;
  const explained = queryError(error, { core: { offset: coreOffset, length: query.sql.length }, objects }, undefined);
  if (explained.code !== 'permission-denied') return explained;
  return new SourceError(explained.code, explained.message, {
    ...explained.details,
    remedy: 'Add the other file as a data source of its own.',
  });
}
