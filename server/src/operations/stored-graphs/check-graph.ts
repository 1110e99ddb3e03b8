import { CheckError } from '../../event-logs/check-error.ts';
import { type CheckReport, checkFile } from '../../check/check-file.ts';
import { type ProjectContext, readGraphFile } from '../../project/open-project.ts';
import { isDuckDbError } from '../../store/duckdb-store.ts';
import { OperationError } from '../operation-error.ts';
import { storedGraph } from './stored-graph.ts';

export interface CheckedGraph extends CheckReport {
  /** Absolute path of the checked file: the store of an entity graph. */
  readonly file: string;
}

/** Checks the imported graph of an entity graph, a store or an exported log. Rejects with an `OperationError`. */
export async function checkGraphFile(
  path: string,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<CheckedGraph> {
  const file = /\.entity\.(ya?ml|json)$/i.test(path)
    ? await storedGraph(await readGraphFile(path, projectContext), projectContext)
    : path;
  try {
    return { file, ...(await checkFile(file, signal)) };
  } catch (error) {
    throw checkFailure(error, file);
  }
}

function checkFailure(error: unknown, file: string): unknown {
  if (error instanceof CheckError) {
    const { line, remedy } = error.details;
    const start = line === undefined ? undefined : { line: line - 1, character: 0 };
    return new OperationError(
      {
        code: error.code,
        message: error.message,
        file,
        ...(start ? { range: { start, end: start } } : {}),
        ...(remedy === undefined ? {} : { remedy }),
      },
      error,
    );
  }
  if (isDuckDbError(error) && error.failure.kind !== 'interrupted') {
    const message = `${file} cannot be read: ${error.failure.message}`;
    return new OperationError({ code: `check-${error.failure.kind}`, message, file }, error);
  }
  if (error instanceof Error && 'code' in error && ['ENOENT', 'EACCES', 'EISDIR'].includes(String(error.code))) {
    const reason = error.code === 'ENOENT' ? 'there is no such file' : 'it cannot be opened as a file';
    return new OperationError({ code: 'file-missing', message: `Cannot read ${file}: ${reason}.`, file }, error);
  }
  return error;
}
