import { fileURLToPath, pathToFileURL } from 'node:url';
import { FileError } from '../files/file-error.ts';

/** The absolute path of a `file:` URI; undefined for others, such as untitled documents. */
export function pathOfUri(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    const path = fileURLToPath(uri);
    // File names cannot contain NUL, and file functions would throw.
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}

/** The absolute path of a URI that must be a file. Throws a `FileError`. */
export function diskPath(uri: string): string {
  const path = pathOfUri(uri);
  if (path !== undefined) return path;
  throw new FileError('not-a-file', `${uri === '' ? 'An empty address' : uri} leads to no file on this machine.`, {
    remedy: 'Save it on disk first, or name a file there.',
  });
}

export function uriOfPath(path: string): string {
  return pathToFileURL(path).href;
}

/** The decoded last segment of a URI. */
export function fileNameOfUri(uri: string): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
