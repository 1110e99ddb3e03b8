import type { DuckDbError, DuckDbFailure } from '../../store/duckdb-store.ts';
import { SourceError, type SourceErrorCode } from '../source-error.ts';

/** The failed query. */
export interface QueryContext {
  /** Offset and length of the core SELECT in the failed statement. */
  readonly core?: { readonly offset: number; readonly length: number };
  /** Existing data objects, for suggestions. */
  readonly objects?: readonly string[];
}

/**
 * An error of a query that DuckDB runs, in user terms, mapped to the core SELECT.
 * @param file the missing file, if that is the reason
 */
export function queryError(error: DuckDbError, context: QueryContext, file: string | undefined): SourceError {
  const { failure } = error;
  const position = corePosition(failure.position, context.core);
  const [code, message, remedy] = queryFault(failure, context);
  return new SourceError(code, message, {
    remedy,
    ...(position !== undefined && { position }),
    file,
    cause: error,
  });
}

type Fault = readonly [code: SourceErrorCode, message: string, remedy?: string | undefined];

function queryFault(failure: DuckDbFailure, context: QueryContext): Fault {
  const message = firstLine(failure.message);
  switch (failure.kind) {
    case 'table-missing':
      return [
        'object-missing',
        `${failure.name ?? 'A table'} is not a data object of this source.`,
        suggestion(context.objects ?? [], failure.name),
      ];
    case 'column-missing':
      return ['column-missing', message, suggestion(failure.candidates, undefined)];
    case 'type-mismatch':
      return [
        'type-mismatch',
        message.replace(
          /^Unimplemented type for cast \((.+?) -> (.+)\).*$/,
          '$1 can neither be compared with $2 nor converted to it.',
        ),
        'Compare values of one type: convert one side with CAST, or set types for the file.',
      ];
    case 'permission':
      return [
        'permission-denied',
        message.replace(/ - file system operations.*/, ': a query reads only the files of its own data source.'),
        'Add the file to the path of the data source.',
      ];
    case 'disk-full':
      return ['disk-full', `The disk is full: ${message}`, 'Free some space on the disk that holds the workspace.'];
    case 'out-of-memory':
      return ['source-failed', `Not enough memory: ${message}`, 'Close other programs, or filter the rows with where.'];
    case 'file-missing':
      return ['file-missing', message, 'Correct path in the data sources file, or put the file there.'];
    default:
      return ['sql-error', message];
  }
}

function corePosition(position: number | undefined, core: QueryContext['core']): number | undefined {
  if (position === undefined || core === undefined) return undefined;
  const inCore = position - core.offset;
  return inCore >= 0 && inCore <= core.length ? inCore : undefined;
}

function suggestion(candidates: readonly string[], name: string | undefined): string | undefined {
  const close =
    name === undefined ? candidates : candidates.filter((each) => each.toLowerCase() === name.toLowerCase());
  const offered = (close.length > 0 ? close : candidates).slice(0, 8);
  return offered.length === 0 ? undefined : `There is: ${offered.join(', ')}.`;
}

/** The message without what DuckDB prints below it. */
export function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
