import type { Failure } from '../../../../protocol/query-results.ts';
import { sentence } from '../../../../protocol/sentence.ts';
import { type FileError, fileErrorOf } from '../../files/file-error.ts';
import { DataSourceFailure } from '../../import/data-source-failure.ts';
import { ImportError } from '../../import/import-error.ts';
import { QueryFailure } from '../../import/query-failure.ts';
import type { GraphFile } from '../../project/open-project.ts';
import { createLineIndex } from '../../model/line-index.ts';
import { dependentsAt } from '../../language/validation/tell-dependents.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { textRange } from '../../project/text-range.ts';
import { type DuckDbError, isDuckDbError } from '../../store/duckdb-store.ts';
import { fileFailure, queryFailure, toFailure } from '../operation-error.ts';

/** Why an import failed, in user terms, with its position in the entity graph if known. */
export function toImportFailure(error: unknown, file: GraphFile, signal: AbortSignal): Failure {
  return withDependents(toGraphFailure(error, file, signal, buildFailure), file);
}

/**
 * Like `toImportFailure`, for other work on a graph.
 * @param refused message for a statement rejected by the database for another reason.
 */
export function toGraphFailure(
  error: unknown,
  file: GraphFile,
  signal: AbortSignal,
  refused: (said: string) => Failure,
): Failure {
  if (signal.aborted) return { code: 'cancelled', message: 'Cancelled.' };
  if (error instanceof QueryFailure) {
    const { query, reason } = error;
    if (!(reason instanceof DataSourceFailure)) {
      return toGraphFailure(queryFailure(reason, query, file, undefined), file, signal, refused);
    }
    return named(toGraphFailure(new QueryFailure(reason.reason, query, error.subject), file, signal, refused), reason);
  }
  if (error instanceof DataSourceFailure) {
    return named(toGraphFailure(error.reason, file, signal, refused), error);
  }
  if (error instanceof ImportError) {
    const { remedy, range, guards } = error.details;
    const place = range ? { file: file.path, range: textRange(file.text, range) } : {};
    return {
      code: error.code,
      message: error.message,
      ...(remedy === undefined ? {} : { remedy }),
      ...(guards && { guards }),
      ...place,
    };
  }
  if (isDuckDbError(error)) return databaseFailure(error, refused);
  const ofFiles = fileErrorOf(error);
  return ofFiles ? stateFolderFailure(ofFiles) : toFailure(error, signal);
}

/** A column of custom SQL that the source has lost; those that the text names as columns are found before. */
function withDependents(failure: Failure, { path, text }: GraphFile): Failure {
  const { code, message, range } = failure;
  if (code !== 'column-missing' || !range || failure.file !== path) return failure;
  const lines = createLineIndex(text);
  const place = { start: lines.offset(range.start), end: lines.offset(range.end) };
  const dependents = dependentsAt(place, parseEntityGraph(text).graph, undefined);
  return dependents === undefined ? failure : { ...failure, message: `${sentence(message)} ${dependents}` };
}

/** An import of several data sources fails with the name of the one that failed. */
function named(unnamed: Failure, { dataSource, details }: DataSourceFailure): Failure {
  const { proposedType } = unnamed;
  const failure = { ...unnamed, ...(proposedType && { proposedType: { ...proposedType, dataSource } }) };
  const { message, shortMessage } = failure;
  // A message with a shorter form names its data source already.
  if (!details.isOneOfSeveral || shortMessage !== undefined) return failure;
  return { ...failure, message: `Data source ${dataSource}: ${message}`, shortMessage: message };
}

function databaseFailure(error: DuckDbError, refused: (said: string) => Failure): Failure {
  const { kind, message } = error.failure;
  if (kind === 'disk-full') return diskFull;
  if (kind === 'out-of-memory') {
    return {
      code: 'out-of-memory',
      message: 'The graph does not fit into memory.',
      remedy: 'Close other programs, or import a part of it with --sample or --since.',
    };
  }
  if (kind === 'permission') return noPermission(error.failure.file ?? message);
  return refused(message);
}

function buildFailure(said: string): Failure {
  return { code: 'build-failed', message: `The graph could not be built: ${said}` };
}

const diskFull: Failure = {
  code: 'disk-full',
  message: 'The disk is full, or files on it may not grow any further: the graph could not be written.',
  remedy: 'Make space on the disk that holds the .entity-graph folder, then import again.',
};

function noPermission(path: string): Failure {
  return {
    code: 'no-write-permission',
    message: `Writing is not permitted: ${path}.`,
    remedy: 'Give yourself permission to write into the folder of entity-sources.yaml, or move the project.',
  };
}

/** The files of an import are in the state folder, so the remedy refers to it. */
function stateFolderFailure(error: FileError): Failure {
  const { code, details } = error;
  if (code === 'disk-full') return diskFull;
  if (code === 'no-write-permission') return { ...noPermission(details.file ?? ''), message: error.message };
  if (code === 'file-in-the-way') return { ...fileFailure(error), remedy: 'Move that file away, then import again.' };
  return fileFailure(error);
}
