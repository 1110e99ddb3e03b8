import type { SourceRange } from './source-range.ts';

/** Zero-based line and UTF-16 character, as in LSP. */
export interface LinePosition {
  readonly line: number;
  readonly character: number;
}

/** Translates between offsets and lines of one text, without reading the text again. */
export interface LineIndex {
  /** Offsets beyond the text mean its end. */
  position(offset: number): LinePosition;
  /** Characters beyond a line mean its end. */
  offset(position: LinePosition): number;
  range(range: SourceRange): { readonly start: LinePosition; readonly end: LinePosition };
}

/** Lines end with `\n`, `\r\n` or `\r`, as in LSP. */
export function createLineIndex(text: string): LineIndex {
  const starts = lineStarts(text);

  function position(offset: number): LinePosition {
    const bounded = Math.min(Math.max(offset, 0), text.length);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= bounded) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: bounded - (starts[low] ?? 0) };
  }

  return {
    position,
    offset({ line, character }) {
      const start = starts[line];
      if (start === undefined) return line < 0 ? 0 : text.length;
      const next = starts[line + 1] ?? text.length;
      const end = next - (/[\r\n]+$/.exec(text.slice(start, next))?.[0].length ?? 0);
      return Math.min(start + Math.max(character, 0), end);
    },
    range: ({ start, end }) => ({ start: position(start), end: position(end) }),
  };
}

/** Numbers side by side: a large file has tens of thousands of lines, and every keystroke makes a new index. */
function lineStarts(text: string): Int32Array {
  let starts = new Int32Array(1024);
  let count = 1;
  const add = (start: number): void => {
    if (count === starts.length) {
      const longer = new Int32Array(count * 2);
      longer.set(starts);
      starts = longer;
    }
    starts[count] = start;
    count += 1;
  };
  if (text.includes('\r')) for (const match of text.matchAll(/\r\n|\r|\n/g)) add(match.index + match[0].length);
  else for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) add(at + 1);
  return starts.subarray(0, count);
}
