import { bisect } from './bisect.ts';
import type { SourceRange } from './source-range.ts';
import type { TextChange } from './text-change.ts';

/** 0-based line and UTF-16 character, as in LSP. */
interface LinePosition {
  readonly line: number;
  readonly character: number;
}

/** Converts between offsets and lines of a text without scanning it again. */
export interface LineIndex {
  /** Start of each line. */
  readonly starts: Int32Array;
  /** Offsets beyond the text are clamped. */
  position(offset: number): LinePosition;
  /** Characters beyond a line are clamped. */
  offset(position: LinePosition): number;
  range(range: SourceRange): { readonly start: LinePosition; readonly end: LinePosition };
}

/**
 * Lines end with `\n`, `\r\n` or `\r`, as in LSP.
 * @param before index and change of an earlier version, for an incremental update.
 */
export function createLineIndex(
  text: string,
  before?: { readonly index: LineIndex; readonly change: TextChange },
): LineIndex {
  const starts = (before && changedStarts(before.index.starts, text, before.change)) ?? lineStarts(text);

  function position(offset: number): LinePosition {
    const bounded = Math.min(Math.max(offset, 0), text.length);
    const line = bisect(starts.length, (index) => (starts[index] ?? 0) <= bounded) - 1;
    return { line, character: bounded - (starts[line] ?? 0) };
  }

  return {
    starts,
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

/** Typed arrays, because large files have tens of thousands of lines and every keystroke creates an index. */
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

/** Undefined when a line break may have been split. */
function changedStarts(
  before: Int32Array,
  text: string,
  { from, until, distance }: TextChange,
): Int32Array | undefined {
  // A carriage return at the edge of the change may have gained or lost its line feed.
  const replaced = text.slice(Math.max(0, from - 1), until + distance + 1);
  if (replaced.includes('\r')) return undefined;
  const first = bisect(before.length, (index) => (before[index] ?? 0) <= from);
  const last = bisect(before.length, (index) => (before[index] ?? 0) <= until);
  const added: number[] = [];
  for (let at = text.indexOf('\n', from); at >= 0 && at < until + distance; at = text.indexOf('\n', at + 1)) {
    added.push(at + 1);
  }
  const starts = new Int32Array(first + added.length + before.length - last);
  starts.set(before.subarray(0, first));
  starts.set(added, first);
  for (let index = last, to = first + added.length; index < before.length; index += 1, to += 1) {
    starts[to] = (before[index] ?? 0) + distance;
  }
  return starts;
}
