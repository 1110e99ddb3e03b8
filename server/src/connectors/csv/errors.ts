import { basename } from 'node:path';
import { isDuckDbError, type DuckDbFailure } from '../../store/duckdb-store.ts';
import { type QueryContext, firstLine, queryError } from '../embedded/query-error.ts';
import { fileReadError } from '../file-read-error.ts';
import { SourceError } from '../source-error.ts';
import { clip } from './clip.ts';
import { physicalLine } from './physical-line.ts';
import type { CsvPlan, ReadPlan } from './plan-types.ts';
import { needsCopy } from './read-plan.ts';

/** Converts a file reading error to user terms; other errors are returned unchanged. */
export async function explainError(error: unknown, context: ErrorContext): Promise<unknown> {
  if (!isDuckDbError(error)) return fileReadError(context.files[0]?.path ?? '', error);
  const { failure } = error;
  const file = faultyFile(failure, context);
  if (failure.kind === 'file-malformed' || (file !== undefined && failure.kind === 'other')) {
    const line = failure.line === undefined ? undefined : await lineInEditor(failure.line, file, context);
    return malformed(failure, file, line, error);
  }
  return queryError(error, context, failure.kind === 'file-missing' ? file : undefined);
}

/** DuckDB counts records as lines. */
async function lineInEditor(line: number, path: string | undefined, { files }: ErrorContext): Promise<number> {
  const file = files.find((each) => each.path === path);
  return file?.records ? physicalLine(file.readFrom, line, file.records) : line;
}

/** Record separators of a file, for `ErrorContext`. */
export function recordShape(plan: ReadPlan | Pick<CsvPlan, 'kind' | 'encoding' | 'quote' | 'gzip' | 'mixedLineEnds'>): {
  readonly records?: { readonly quote: string; readonly gzip: boolean };
} {
  if (plan.kind !== 'csv') return {};
  const isCopy = needsCopy(plan);
  return { records: { quote: plan.quote, gzip: plan.gzip && !isCopy } };
}

/** The failed operation. */
export interface ErrorContext extends QueryContext {
  /** The files involved, with the paths of their copies if DuckDB read copies. */
  readonly files: readonly {
    readonly path: string;
    readonly readFrom: string;
    readonly records?: { readonly quote: string; readonly gzip: boolean };
  }[];
}

/** Errors inside a file, with own messages where DuckDB's refer to its options. */
function malformed(
  failure: DuckDbFailure,
  file: string | undefined,
  line: number | undefined,
  cause: unknown,
): SourceError {
  const name = file === undefined ? 'A file' : basename(file);
  const place = line === undefined ? name : `${name}, line ${line}`;
  const shown = failure.lineText ? ` (${clip(failure.lineText)})` : '';
  const [what, remedy, remedyOfFile] = fileFault(failure, shown, name);
  return new SourceError('file-malformed', `${place}: ${what}.`, {
    remedy,
    remedyOfFile,
    file,
    line,
    cause,
  });
}

/** For a CSV file that no data source describes. */
const correctFile = 'Correct the file: a CSV file has its columns named in the first line, and as many values in each.';

type FileFault = readonly [what: string, remedy: string, remedyOfFile: string];

/**
 * The fault in a file, recognised by the message of DuckDB: its errors have a type and a position, but no code for
 * faults of a value or line. The patterns match DuckDB 1.5; other messages are shown unchanged.
 */
function fileFault(failure: DuckDbFailure, shown: string, name: string): FileFault {
  const text = failure.message;
  const ragged = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(text);
  if (ragged) {
    return [
      `expected ${ragged[1]} columns, found ${ragged[2]}${shown}`,
      `Correct the line; if all lines are like it, set delimiter or quote for ${name}.`,
      correctFile,
    ];
  }
  const conversion = /converting column "(.+?)"\. Could not convert string "(.*?)" to '?([^'\n]+)'?/s.exec(text);
  if (conversion) {
    return [
      `"${clip(conversion[2] ?? '')}" in column ${conversion[1]} is not a ${conversion[3]}`,
      `Correct the value, add it to nullValues, or set types: { "${conversion[1]}": VARCHAR } for ${name}.`,
      correctFile,
    ];
  }
  const format = /converting column "(.+?)"\.\s*(.+)/.exec(text);
  if (format) {
    return [
      `a value of column ${format[1]} does not fit: ${format[2]}`,
      `Correct the value, add it to nullValues, or set types: { "${format[1]}": VARCHAR } for ${name}.`,
      correctFile,
    ];
  }
  if (/not utf-8|unicode|not latin-1/i.test(text)) {
    const expected = /not latin-1/i.test(text) ? 'latin-1' : 'UTF-8';
    return [
      `bytes that are not ${expected}`,
      `Set encoding for ${name}, for example windows-1252, or save the file as UTF-8.`,
      'Save the file as UTF-8.',
    ];
  }
  if (/unterminated quote/i.test(text)) {
    return [
      `a quote that is never closed${shown}`,
      `Close the quote, or set quote: "" for ${name} if quotes have no meaning in it.`,
      'Close the quote.',
    ];
  }
  if (/invalid state/i.test(text)) {
    return [
      'the lines cannot be told apart, as when a file mixes line endings',
      'Save the file with one kind of line ending, or set delimiter and quote for it.',
      'Save the file with one kind of line ending.',
    ];
  }
  if (/maximum line size|max_line_size/i.test(text)) {
    return [
      'a line longer than 16 MB, as when a quote is never closed',
      `Correct the line, or set quote for ${name}.`,
      'Correct the line.',
    ];
  }
  const remedy = 'Correct the file, or export it again.';
  return [firstLine(text).replace(/\.$/, ''), remedy, remedy];
}

function faultyFile(failure: DuckDbFailure, context: ErrorContext): string | undefined {
  const named = context.files.find(({ readFrom, path }) =>
    [readFrom, path].some((each) => failure.file === each || (each !== '' && failure.message.includes(each))),
  );
  if (named) return named.path;
  return failure.kind === 'file-malformed' && context.files.length === 1 ? context.files[0]?.path : undefined;
}
