import { basename } from 'node:path';
import { CheckError } from '../../event-logs/check-error.ts';
import { type DuckDbError, isDiskFull, isDuckDbError, isOutOfMemory } from '../../store/duckdb-store.ts';
import { type SourceError, type SourceErrorCode, errorOfSource, isSourceError } from '../source-error.ts';
import type { LogFileConfig } from './log-file-settings.ts';
import type { LogContent } from './log-tables.ts';

/** Why a log cannot be read, in the user's terms; other errors are returned unchanged. */
export function logFileError(config: LogFileConfig, error: unknown): unknown {
  if (isSourceError(error)) return error;
  if (error instanceof CheckError) return malformed(config, error);
  if (isDuckDbError(error)) return ofDatabase(config, error);
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const known = typeof code === 'string' ? fileFailures[code] : undefined;
  if (!known) return error;
  return errorOfSource(config.name, known.code, `${config.file} ${known.said}.`, {
    file: config.file,
    remedy: known.remedy,
    cause: error,
  });
}

/** A file that breaks the rules of its format. */
export function brokenLog(
  config: LogFileConfig,
  said: string,
  details: { readonly line?: number; readonly remedy?: string; readonly cause?: unknown } = {},
): SourceError {
  const { line, remedy = 'Correct the file, or have it written again.', cause } = details;
  const place = line === undefined ? '' : `, line ${line}`;
  return errorOfSource(config.name, 'file-malformed', `${basename(config.file)}${place}: ${said}`, {
    file: config.file,
    remedy,
    line,
    cause,
  });
}

/** A file without a byte, also when it is compressed. */
export function emptyLog({ name, file }: LogFileConfig): SourceError {
  return errorOfSource(name, 'source-empty', `${basename(file)} is empty.`, { file, remedy: 'Export the log again.' });
}

function malformed(config: LogFileConfig, { message, details }: CheckError): SourceError {
  return brokenLog(config, message, details);
}

interface FileFailure {
  readonly code: SourceErrorCode;
  readonly said: string;
  readonly remedy: string;
}

const unreadable = 'Check its permissions, and the path in the data sources file.';
const fileFailures: Readonly<Record<string, FileFailure>> = {
  ENOENT: {
    code: 'file-missing',
    said: 'does not exist',
    remedy: 'Correct path in the data sources file, or put the file there.',
  },
  ENOTDIR: { code: 'file-missing', said: 'does not exist', remedy: 'Correct path in the data sources file.' },
  EISDIR: { code: 'file-unreadable', said: 'is a folder', remedy: 'Let path name a file.' },
  EACCES: { code: 'file-unreadable', said: 'cannot be read: permission denied', remedy: unreadable },
  EPERM: { code: 'file-unreadable', said: 'cannot be read: permission denied', remedy: unreadable },
  ENOSPC: {
    code: 'disk-full',
    said: 'cannot be read: the disk of the temporary folder is full',
    remedy: 'Free some space, or set TMPDIR to a folder on another disk.',
  },
};

function ofDatabase(config: LogFileConfig, error: DuckDbError): SourceError {
  const { message } = error.failure;
  const isFull = isDiskFull(error);
  const said = `${basename(config.file)} cannot be read: ${message}`;
  const remedy = isFull
    ? 'Free some space on the disk of the temporary folder.'
    : isOutOfMemory(error)
      ? 'Close other programs, or use a machine with more memory.'
      : 'Report this with the file, if it can be shared.';
  return errorOfSource(config.name, isFull ? 'disk-full' : 'source-failed', said, {
    file: config.file,
    remedy,
    cause: error,
  });
}

export function objectMissing({ name, file }: LogFileConfig, dataObject: string, { tables }: LogContent): SourceError {
  return errorOfSource(name, 'object-missing', `${basename(file)} has no data object ${dataObject}.`, {
    remedy: `Its data objects are: ${tables.map(({ object }) => object.name).join(', ')}.`,
  });
}

export function columnMissing({ name, file }: LogFileConfig, dataObject: string, column: string): SourceError {
  return errorOfSource(name, 'column-missing', `${dataObject} of ${basename(file)} has no column ${column}.`, {
    remedy: 'Refresh the data source: the file has changed.',
  });
}
