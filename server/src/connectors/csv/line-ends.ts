import type { CsvPlan } from './plan-types.ts';

/** The line endings of a CSV text, outside of quotes: the 1-based first line of each kind. */
export interface LineEnds {
  readonly lf?: number;
  readonly crlf?: number;
  /** A lone carriage return. */
  readonly cr?: number;
}

/** Field format. */
export type LineShape = Pick<CsvPlan, 'delimiter' | 'quote' | 'escape'>;

/** Reads a CSV text in pieces. */
interface LineEndReader {
  /** The piece with LF line endings; its last characters may come with the next one. */
  read(piece: string): string;
  /** The remaining text. */
  finish(): string;
  readonly found: LineEnds;
}

const [lineFeed, carriageReturn] = [10, 13];

/** Lookahead: longer than a delimiter or two characters. */
const lookAhead = 4;

/** By DuckDB's rules: a quote opens only at the start of a field. Quoted text is unchanged. */
export function lineEndReader({ delimiter, quote, escape }: LineShape): LineEndReader {
  const [quoteCode, escapeCode, delimiterCode] = [quote, escape, delimiter].map((text) => text.charCodeAt(0));
  const found: { lf?: number; crlf?: number; cr?: number } = {};
  let waiting = '';
  let line = 1;
  let isQuoted = false;
  let isFieldStart = true;

  function readTo(text: string, end: number): string {
    const parts: string[] = [];
    let taken = 0;
    let at = 0;
    while (at < end) {
      const code = text.charCodeAt(at);
      if (isQuoted) {
        if (code === escapeCode && (escapeCode !== quoteCode || text.charCodeAt(at + 1) === quoteCode)) at += 1;
        else if (code === quoteCode) isQuoted = false;
        else if (code === lineFeed) line += 1;
        at += 1;
        continue;
      }
      if (code === lineFeed || code === carriageReturn) {
        const isPair = code === carriageReturn && text.charCodeAt(at + 1) === lineFeed;
        const kind = code === lineFeed ? 'lf' : isPair ? 'crlf' : 'cr';
        found[kind] ??= line;
        if (isPair) {
          parts.push(text.slice(taken, at));
          taken = at + 1;
        }
        at += isPair ? 2 : 1;
        line += 1;
        isFieldStart = true;
        continue;
      }
      if (isFieldStart && code === quoteCode) isQuoted = true;
      isFieldStart = code === delimiterCode && text.startsWith(delimiter, at);
      at += isFieldStart ? delimiter.length : 1;
    }
    parts.push(text.slice(taken, at));
    waiting = text.slice(at);
    return parts.join('');
  }

  return {
    found,
    read: (piece) => readTo(waiting + piece, waiting.length + piece.length - lookAhead),
    finish: () => readTo(waiting, waiting.length),
  };
}

/** Converts all line endings of a text to LF. */
export function textWithOneLineEnd(text: string, shape: LineShape): string {
  const lines = lineEndReader(shape);
  return lines.read(text) + lines.finish();
}

/** Whether a text has a mix of line endings that DuckDB does not accept. */
export function isMixed({ lf, crlf, cr }: LineEnds): boolean {
  return [lf, crlf, cr].filter((line) => line !== undefined).length > 1;
}
