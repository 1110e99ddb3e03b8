import { isDiskFull } from '../files/file-error.ts';
import { SourceError, isSourceError } from './source-error.ts';

/** Explains a file system or decompression error. */
export function fileReadError(path: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (isSourceError(error) || code === undefined) return error;
  const details = { file: path, cause: error };
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new SourceError('file-missing', `There is no file ${path}.`, {
      ...details,
      remedy: 'Correct path in the data sources file, or put the file there.',
      remedyOfFile: 'Check the path of the file.',
    });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new SourceError('file-unreadable', `${path} may not be read by this user.`, {
      ...details,
      remedy: 'Give yourself read permission for the file.',
    });
  }
  if (isDiskFull(error)) {
    return new SourceError('disk-full', `The disk is full: no room for a copy of ${path}.`, {
      ...details,
      remedy: 'Free some space on the disk that holds temporary files.',
    });
  }
  if (/^Z_/.test(code)) {
    const cut = code === 'Z_BUF_ERROR';
    return new SourceError(
      'file-malformed',
      `${path} ${cut ? 'ends too early: it is not a complete gzip file' : 'is not a valid gzip file'}.`,
      {
        ...details,
        remedy: cut ? 'Copy or export the file again.' : 'Compress it with gzip, or drop .gz from its name.',
      },
    );
  }
  return new SourceError('file-unreadable', `${path} cannot be read (${code}).`, {
    ...details,
    remedy: 'Check that the file can be opened.',
  });
}

/** An error of a file that no data source names: its remedy mentions no settings. */
export function errorOfFile(error: unknown): unknown {
  if (!isSourceError(error) || error.details.remedyOfFile === undefined) return error;
  return new SourceError(error.code, error.message, {
    ...error.details,
    remedy: error.details.remedyOfFile,
    cause: error,
  });
}
