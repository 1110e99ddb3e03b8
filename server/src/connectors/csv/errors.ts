import { basename } from 'node:path';
import { DuckDbError, type DuckDbFailure } from '../../store/duckdb-store.ts';
import { SourceError, isSourceError, type SourceErrorCode } from '../source-error.ts';
import { clip } from './clip.ts';
import { physicalLine } from './physical-line.ts';
import type { CsvPlan, ReadPlan } from './plan-types.ts';
import { needsCopy } from './read-plan.ts';
import { fileError } from './read-sample.ts';

/** Converts a file reading error to user terms; other errors are returned unchanged. */
export async function explainError(error: unknown, context: ErrorContext): Promise<unknown> {
  const explained = toSourceError(error, context);
  if (!isSourceError(explained) || explained.details.line === undefined) return explained;
  const { file: path, line } = explained.details;
  const file = context.files.find((each) => each.path === path);
  if (!file?.records) return explained;
  const physical = await physicalLine(file.readFrom, line, file.records);
  if (physical === line) return explained;
  const message = explained.message.replace(`line ${line}:`, `line ${physical}:`);
  return new SourceError(explained.code, message, { ...explained.details, line: physical });
}

/** Record separators of a file, for `ErrorContext`. UTF-16 bytes do not show lines. */
export function recordShape(plan: ReadPlan | Pick<CsvPlan, 'kind' | 'encoding' | 'quote' | 'gzip' | 'mixedLineEnds'>): {
  readonly records?: { readonly quote: string; readonly gzip: boolean };
} {
  if (plan.kind !== 'csv') return {};
  const isCopy = needsCopy(plan);
  if (plan.encoding.native === 'utf-16' && !isCopy) return {};
  return { records: { quote: plan.quote, gzip: plan.gzip && !isCopy } };
}

/** The failed operation. */
export interface ErrorContext {
  /** The files involved, with the paths of their copies if DuckDB read copies. */
  readonly files: readonly {
    readonly path: string;
    readonly readFrom: string;
    readonly records?: { readonly quote: string; readonly gzip: boolean };
  }[];
  /** Offset and length of the core SELECT in the failed statement. */
  readonly core?: { readonly offset: number; readonly length: number };
  /** Existing data objects, for suggestions. */
  readonly objects?: readonly string[];
}

function toSourceError(error: unknown, context: ErrorContext): unknown {
  if (!(error instanceof DuckDbError)) return fileError(context.files[0]?.path ?? '', error);
  const { failure } = error;
  const file = faultyFile(failure, context);
  if (failure.kind === 'file-malformed' || (file !== undefined && failure.kind === 'other')) {
    return malformed(failure, file, error);
  }
  const position = corePosition(failure.position, context.core);
  const [code, message, remedy] = queryFault(failure, context);
  return new SourceError(code, message, {
    ...(remedy === undefined ? {} : { remedy }),
    ...(position === undefined ? {} : { position }),
    ...(failure.kind === 'file-missing' && file !== undefined ? { file } : {}),
    cause: error,
  });
}

type Fault = readonly [code: SourceErrorCode, message: string, remedy?: string | undefined];

function queryFault(failure: DuckDbFailure, context: ErrorContext): Fault {
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

/** Errors inside a file, with own messages where DuckDB's refer to its options. */
function malformed(failure: DuckDbFailure, file: string | undefined, cause: unknown): SourceError {
  const name = file === undefined ? 'A file' : basename(file);
  const place = failure.line === undefined ? name : `${name}, line ${failure.line}`;
  const shown = failure.lineText ? ` (${clip(failure.lineText)})` : '';
  const [what, remedy] = fileFault(failure, shown, name);
  return new SourceError('file-malformed', `${place}: ${what}.`, {
    remedy,
    ...(file === undefined ? {} : { file }),
    ...(failure.line === undefined ? {} : { line: failure.line }),
    cause,
  });
}

function fileFault(failure: DuckDbFailure, shown: string, name: string): readonly [what: string, remedy: string] {
  const text = failure.message;
  const ragged = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(text);
  if (ragged) {
    return [
      `expected ${ragged[1]} columns, found ${ragged[2]}${shown}`,
      `Correct the line; if all lines are like it, set delimiter or quote for ${name}.`,
    ];
  }
  const conversion = /converting column "(.+?)"\. Could not convert string "(.*?)" to '?([^'\n]+)'?/s.exec(text);
  if (conversion) {
    return [
      `"${clip(conversion[2] ?? '')}" in column ${conversion[1]} is not a ${conversion[3]}`,
      `Correct the value, add it to nullValues, or set types: { "${conversion[1]}": VARCHAR } for ${name}.`,
    ];
  }
  const format = /converting column "(.+?)"\.\s*(.+)/.exec(text);
  if (format) {
    return [
      `a value of column ${format[1]} does not fit: ${format[2]}`,
      `Correct the value, add it to nullValues, or set types: { "${format[1]}": VARCHAR } for ${name}.`,
    ];
  }
  if (/not utf-8|unicode|not latin-1|not utf-16/i.test(text)) {
    const expected = /not (latin-1|utf-16)/i.exec(text)?.[1]?.toLowerCase() ?? 'UTF-8';
    return [
      `bytes that are not ${expected}`,
      `Set encoding for ${name}, for example windows-1252, or save the file as UTF-8.`,
    ];
  }
  if (/unterminated quote/i.test(text)) {
    return [
      `a quote that is never closed${shown}`,
      `Close the quote, or set quote: "" for ${name} if quotes have no meaning in it.`,
    ];
  }
  if (/invalid state/i.test(text)) {
    return [
      'the lines cannot be told apart, as when a file mixes line endings',
      'Save the file with one kind of line ending, or set delimiter and quote for it.',
    ];
  }
  if (/maximum line size|max_line_size/i.test(text)) {
    return ['a line longer than 16 MB, as when a quote is never closed', `Correct the line, or set quote for ${name}.`];
  }
  return [firstLine(text).replace(/\.$/, ''), 'Correct the file, or export it again.'];
}

function faultyFile(failure: DuckDbFailure, context: ErrorContext): string | undefined {
  const named = context.files.find(({ readFrom, path }) =>
    [readFrom, path].some((each) => failure.file === each || (each !== '' && failure.message.includes(each))),
  );
  if (named) return named.path;
  return failure.kind === 'file-malformed' && context.files.length === 1 ? context.files[0]?.path : undefined;
}

function corePosition(position: number | undefined, core: ErrorContext['core']): number | undefined {
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

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
