import type { CompiledQuery } from '../../query/compiled-query.ts';
import { explainError, recordShape } from './errors.ts';
import type { FileSource } from './file-source.ts';
import { type AttachedFile, filesOnDisk } from './inspected-file.ts';

/**
 * An error of a query over attached files, mapped to the core SELECT (which starts at `coreOffset` of the statement),
 * or to the file and line.
 */
export async function locateError(
  error: unknown,
  attached: readonly AttachedFile[],
  query: CompiledQuery,
  coreOffset: number,
  source: FileSource,
): Promise<unknown> {
  const fault = await source.faultOfFile(attached, error);
  if (fault) return fault;
  return explainError(error, {
    files: filesOnDisk(attached).map(({ file, readFrom }) => ({
      path: file.path,
      readFrom,
      ...recordShape(file.plan),
    })),
    core: { offset: coreOffset, length: query.sql.length },
    objects: (await source.list()).map((file) => file.name),
  });
}
