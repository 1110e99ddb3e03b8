import type { SourceCharacter } from './source-character.ts';

/**
 * The characters of a plain, single- or double-quoted scalar by YAML 1.2.2 §7.3, with their positions.
 * @param source the scalar as written; `start` is its document offset.
 */
export function flowScalarCharacters(source: string, start: number): readonly SourceCharacter[] {
  const quote = source.startsWith("'") || source.startsWith('"') ? source.charAt(0) : '';
  const inner = quote === '' ? source : source.slice(1, source.endsWith(quote) ? -1 : undefined);
  return read(inner, start + quote.length, quote);
}

function read(inner: string, start: number, quote: string): readonly SourceCharacter[] {
  const placed: SourceCharacter[] = [];
  /** End of characters from escapes, and of non-blank ones: folding does not remove them. */
  let kept = 0;
  for (let at = 0; at < inner.length;) {
    const offset = start + at;
    const { breaks, end } = whiteSpaceAt(inner, at);
    if (breaks > 0) {
      placed.length = Math.max(kept, trimmedLength(placed));
      const text = breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
      for (const character of text) placed.push({ character, offset });
      kept = placed.length;
      at = end;
      continue;
    }
    // Skips all blanks at once.
    if (end > at) {
      for (; at < end; at += 1) placed.push({ character: inner.charAt(at), offset: start + at });
      continue;
    }
    const piece = nextPiece(inner, at, quote);
    for (const character of piece.text.split('')) placed.push({ character, offset });
    if (piece.escaped) kept = placed.length;
    at += piece.length;
  }
  return placed;
}

/** End of the blanks and line breaks at `at`, and the number of line breaks. */
function whiteSpaceAt(inner: string, at: number): { readonly breaks: number; readonly end: number } {
  let breaks = 0;
  for (let end = at; ;) {
    if (inner[end] === ' ' || inner[end] === '\t') end += 1;
    else if (inner[end] === '\n' || inner.startsWith('\r\n', end)) {
      end += inner[end] === '\n' ? 1 : 2;
      breaks += 1;
    } else return { breaks, end };
  }
}

function trimmedLength(placed: readonly SourceCharacter[]): number {
  let length = placed.length;
  while (length > 0 && /[ \t]/.test(placed[length - 1]?.character ?? '')) length -= 1;
  return length;
}

interface Piece {
  readonly text: string;
  /** Number of source characters. */
  readonly length: number;
  readonly escaped: boolean;
}

function nextPiece(inner: string, at: number, quote: string): Piece {
  if (quote === "'" && inner.startsWith("''", at)) return { text: "'", length: 2, escaped: true };
  if (quote === '"' && inner[at] === '\\') return escape(inner, at);
  return { text: inner.charAt(at), length: 1, escaped: false };
}

const simpleEscapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};

const codeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function escape(inner: string, at: number): Piece {
  // An escaped line break joins two lines without a blank.
  const joined = /^\\\r?\n[ \t]*/.exec(inner.slice(at));
  if (joined) return { text: '', length: joined[0].length, escaped: true };
  const letter = inner.charAt(at + 1);
  const digits = codeLengths[letter];
  if (digits !== undefined) {
    const code = Number.parseInt(inner.slice(at + 2, at + 2 + digits), 16);
    const text = Number.isNaN(code) || code > 0x10ffff ? '' : String.fromCodePoint(code);
    return { text, length: 2 + digits, escaped: true };
  }
  return { text: simpleEscapes[letter] ?? letter, length: 2, escaped: true };
}
