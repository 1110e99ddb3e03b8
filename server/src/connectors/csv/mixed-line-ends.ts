import { basename } from 'node:path';
import { SourceError, isSourceError } from '../source-error.ts';
import { type TextOptions, readText } from './encodings.ts';
import { type LineEnds, type LineShape, isMixed, lineEndReader } from './line-ends.ts';
import type { CsvPlan } from './plan-types.ts';

/** The text of a CSV file with uniform line endings. */
export async function* withOneLineEnd(
  pieces: AsyncIterable<string>,
  shape: LineShape,
): AsyncGenerator<string, void, undefined> {
  const lines = lineEndReader(shape);
  for await (const piece of pieces) yield lines.read(piece);
  yield lines.finish();
}

/**
 * Whether DuckDB failed because of mixed line endings, so that a normalised copy helps. Rejects with
 * `file-malformed` when a lone carriage return may be a line ending or data.
 */
export async function hasMixedLineEnds(
  path: string,
  plan: LineShape & Pick<CsvPlan, 'encoding' | 'gzip' | 'mixedLineEnds'>,
  error: unknown,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (plan.mixedLineEnds || !isSourceError(error) || error.code !== 'file-malformed') return false;
  const lines = lineEndReader(plan);
  const options: TextOptions = { encoding: plan.encoding, gzip: plan.gzip, signal };
  try {
    await readText(path, options, (piece) => void lines.read(piece));
  } catch {
    // The original failure is more important.
    signal?.throwIfAborted();
    return false;
  }
  lines.finish();
  const { found } = lines;
  if (!isMixed(found)) return false;
  if (found.cr === undefined) return true;
  throw loneReturn(path, found);
}

function loneReturn(path: string, found: LineEnds): SourceError {
  const ends = (
    [
      ['lf', 'LF'],
      ['crlf', 'CR LF'],
    ] as const
  ).filter(([kind]) => found[kind] !== undefined);
  const others = ends.map(([kind, name]) => `${name} (first line ${found[kind]})`).join(' and ');
  const line = found.cr ?? 1;
  return new SourceError(
    'file-malformed',
    `${basename(path)}, line ${line}: a carriage return (CR) alone, where other lines end with ${others}: it may end the line or belong to a value.`,
    {
      file: path,
      line,
      remedy: 'Save the file with one kind of line ends, or put values that contain a carriage return in quotes.',
    },
  );
}
