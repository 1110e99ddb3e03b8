import { basename } from 'node:path';
import { type DuckDbFailure, isDuckDbError } from '../../store/duckdb-store.ts';
import { type QueryContext, firstLine, queryError } from '../embedded/query-error.ts';
import { fileReadError } from '../file-read-error.ts';
import { SourceError } from '../source-error.ts';
import { clip } from './clip.ts';
import type { CsvPlan, ReadPlan } from './plan-types.ts';
import { needsCopy } from './read-plan.ts';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

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
interface ErrorContext extends QueryContext {
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
  const [what, remedy, remedyOfFile] = fileFault(failure, shown, name, line);
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

/** Titles and the like above a header have no more lines. */
const titleLines = 20;

type FileFault = readonly [what: string, remedy: string, remedyOfFile: string];

/**
 * The fault in a file, recognised by the message of DuckDB: its errors have a type and a position, but no code for
 * faults of a value or line. The patterns match DuckDB 1.5; other messages are shown unchanged.
 */
function fileFault(failure: DuckDbFailure, shown: string, name: string, line = Infinity): FileFault {
  const text = failure.message;
  const ragged = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(text);
  if (ragged) {
    return [
      `expected ${ragged[1]} columns, found ${ragged[2]}${shown}`,
      `Correct the line; if all lines are like it, set delimiter or quote for ${name}${line > titleLines ? '' : '; if it stands above the names of the columns, let headerRow be their line'}.`,
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

const [newline, carriageReturn] = [10, 13];

/**
 * The line of a text file on which its `record`-th record starts, both 1-based. DuckDB counts records (and blank
 * lines), editors count lines; they differ when quoted fields contain line breaks. Falls back to `record` for an
 * unreadable file.
 */
async function physicalLine(
  path: string,
  record: number,
  { quote, gzip }: { readonly quote: string; readonly gzip: boolean },
): Promise<number> {
  const quoteByte = quote === '' ? -1 : quote.charCodeAt(0);
  let [line, recordsSeen, quoted, previous] = [1, 1, false, 0];
  let found: number | undefined = record <= 1 ? 1 : undefined;
  const count = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) {
      for (const byte of chunk) {
        // A doubled quote closes and opens again, with the same effect.
        if (byte === quoteByte) quoted = !quoted;
        const isBreak = byte === newline || (previous === carriageReturn && byte !== newline);
        previous = byte;
        if (byte === carriageReturn || !isBreak) continue;
        line += 1;
        if (!quoted) recordsSeen += 1;
        if (recordsSeen === record) {
          found = line;
          return;
        }
      }
    }
  };
  const file = createReadStream(path);
  const work = gzip ? pipeline(file, createGunzip(), count) : pipeline(file, count);
  await work.catch(() => undefined);
  return found ?? record;
}
