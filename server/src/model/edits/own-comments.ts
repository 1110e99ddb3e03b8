import type { SourceRange } from '../source-range.ts';

/**
 * The lines of an entry or field with the comments that belong to it: those directly above with its indentation, and
 * those directly below that are indented deeper. Headings and the marks of regions belong to what follows them as well.
 * @param lines from the start of the first line to the end of the last one, without its line break
 * @param column of the dash or key
 */
export function withOwnComments(text: string, { start, end }: SourceRange, column: number): SourceRange {
  return { start: startAbove(text, start, column), end: endBelow(text, end, column) };
}

const comment = /^([ ]*)#(.*?)\r?$/;

/** A region of editors, or a line that is drawn. */
const heading = /^\s*(?:end)?region\b|([-=*#~_])\1{2}/;

function startAbove(text: string, start: number, column: number): number {
  let first = start;
  while (first > 0) {
    const lineStart = text.lastIndexOf('\n', first - 2) + 1;
    const [, indent, words] = comment.exec(text.slice(lineStart, first - 1)) ?? [];
    if (indent?.length !== column) break;
    // What stands above a heading belongs to it.
    if (heading.test(words ?? '')) return start;
    first = lineStart;
  }
  // A comment at the top of a file is about the file.
  return first === 0 ? start : first;
}

function endBelow(text: string, end: number, column: number): number {
  let last = end;
  while (last < text.length) {
    const next = text.indexOf('\n', last + 1);
    const from = text.startsWith('\r\n', last) ? last + 2 : last + 1;
    const until = next < 0 ? text.length : text[next - 1] === '\r' ? next - 1 : next;
    const [, indent, words] = comment.exec(text.slice(from, until)) ?? [];
    if (indent === undefined || indent.length <= column || heading.test(words ?? '')) break;
    last = until;
  }
  return last;
}
