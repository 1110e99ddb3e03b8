import { SourceError } from '../connectors/source-error.ts';
import { isFileError } from '../files/file-error.ts';
import { insideFolder } from '../files/follow-links.ts';
import { type TextAndStats, readTextAndStats } from '../files/read-text.ts';

/** With this environment variable, files outside of its folder are not read, not through a link either. */
const onlyWithin = 'ENTITY_GRAPH_WITHIN';

/** Entity graphs, sources files and files of tests take about 100 times their size in memory. */
const maxBytes = 16 * 2 ** 20;

/** The content of a text file without byte order mark. Rejects with a `SourceError` or `FileError` that explains the reason. */
export async function readTextFile(path: string): Promise<string> {
  return (await readTextFileAndStats(path)).text;
}

/** The same with what the file system knows about the file. */
export async function readTextFileAndStats(path: string): Promise<TextAndStats> {
  const folder = process.env[onlyWithin];
  if (folder) await refuseOutside(path, folder);
  try {
    const { text, stats } = await readTextAndStats(path, { maxBytes });
    return { text: text.startsWith('\uFEFF') ? text.slice(1) : text, stats };
  } catch (cause) {
    throw isFileError(cause) && cause.code === 'file-too-large' ? cause : cannotRead(path, cause);
  }
}

/** Rejects with `not-allowed`. */
async function refuseOutside(path: string, folder: string): Promise<void> {
  await insideFolder(path, folder).catch((cause: unknown) => {
    const message = `${path} is outside of ${folder}, whose files only are read.`;
    throw new SourceError('not-allowed', message, { file: path, cause });
  });
}

/** Explains why a file could not be read; `cause` is the file system error. */
export function cannotRead(path: string, cause: unknown): SourceError {
  return new SourceError('file-missing', `Cannot read ${path}: ${reasonOf(cause)}.`, {
    remedy: 'Check the path and its permissions.',
    file: path,
    cause,
  });
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'reading it is not permitted';
  if (code === 'EISDIR') return 'it is a folder';
  if (isFileError(cause)) return 'it is a device or a pipe, not a file';
  return cause instanceof Error ? cause.message : String(cause);
}
