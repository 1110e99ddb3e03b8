import { type Node, type Pair, isMap, isNode, isScalar, isSeq } from 'yaml';
import { type EditableYaml, dashesOf } from '../../model/edits/editable-yaml.ts';
import type { TextEdit } from '../../model/edits/text-edit.ts';

/** Spaces per level. */
const step = 2;

/** Formatting edits for all lines of a text; the caller parses the result to verify its meaning. */
export function layoutEdits(yaml: EditableYaml): readonly TextEdit[] {
  return lineEdits(yaml.text, formattedLines(yaml));
}

interface Line {
  readonly start: number;
  /** Without its line break. */
  readonly text: string;
  /** Within a multi-line scalar, where every character counts. */
  inText: boolean;
  /** Number of columns it moves to the right; undefined while unknown. */
  shift: number | undefined;
  /** Position and required number of blanks after its dashes, which is always one. */
  readonly dashes: number[];
}

/** The new text of every line; undefined for a deleted one. */
function formattedLines(yaml: EditableYaml): {
  readonly lines: readonly Line[];
  readonly texts: readonly (string | undefined)[];
} {
  const lines = splitLines(yaml.text);
  const lineAt = (offset: number): number => {
    let [low, high] = [0, lines.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((lines[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  function place(offset: number, column: number): void {
    const line = lines[lineAt(offset)];
    // Only the start of a line determines its indentation.
    if (line && line.text.slice(0, offset - line.start).trim() === '') line.shift ??= column - (offset - line.start);
  }

  function visit(node: Node, column: number): void {
    if (isMap(node) && node.flow !== true) {
      for (const pair of node.items as Pair<Node, Node | null>[]) {
        if (pair.key.range) place(pair.key.range[0], column);
        if (isNode(pair.value)) visit(pair.value, column + step);
      }
    } else if (isSeq(node) && node.flow !== true) {
      const dashes = dashesOf(node);
      (node.items as Node[]).forEach((item, index) => {
        const dash = dashes[index];
        if (dash === undefined) return;
        place(dash, column);
        const line = lines[lineAt(dash)];
        const blanks = line && /^- {2,}(?=\S)/.exec(line.text.slice(dash - line.start));
        if (line && blanks) line.dashes.push(dash - line.start);
        visit(item, column + step);
      });
    } else if (node.range) follow(node, lineAt(node.range[0]), lineAt(Math.max(node.range[0], node.range[1] - 1)));
  }

  /** The lines of a value move with its first one. */
  function follow(node: Node, first: number, last: number): void {
    const isText = isScalar(node);
    for (let index = first + 1; index <= last; index += 1) {
      const line = lines[index];
      if (!line) continue;
      line.inText ||= isText;
      line.shift ??= lines[first]?.shift;
    }
  }

  if (isNode(yaml.document.contents)) visit(yaml.document.contents, 0);
  return { lines, texts: textsOf(lines) };
}

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const part of text.split('\n')) {
    lines.push({ start, text: part.replace(/\r$/, ''), inText: false, shift: undefined, dashes: [] });
    start += part.length + 1;
  }
  return lines;
}

function textsOf(lines: readonly Line[]): readonly (string | undefined)[] {
  /** Offset of the last preceding line with at most this indentation. */
  const shifts = new Map<number, number>();
  return lines.map((line, index) => {
    if (isPlaced(line)) shifts.set(indentOf(line), line.shift);
    const { text, inText, dashes } = line;
    if (text.trim() === '') {
      if (inText) return text;
      const before = lines[index - 1];
      const isLast = index === lines.length - 1;
      // The last item of a split follows the last line break.
      const again = before !== undefined && before.text.trim() === '' && !before.inText;
      return again || (isLast && index === 0) ? (isLast ? '' : undefined) : '';
    }
    const shift = line.shift ?? shiftOfComment(lines, index, shifts);
    const indent = indentOf(line);
    const body = dashes
      .toSorted((one, other) => other - one)
      .reduce((result, dash) => `${result.slice(0, dash)}- ${result.slice(dash + 1).trimStart()}`, text)
      .slice(indent);
    return `${' '.repeat(Math.max(0, indent + shift))}${inText ? body : body.trimEnd()}`;
  });
}

/** A comment moves with the next line, or with the previous one of equal indentation. */
function shiftOfComment(lines: readonly Line[], index: number, before: ReadonlyMap<number, number>): number {
  const own = lines[index];
  if (!own?.text.trimStart().startsWith('#')) return 0;
  let at = index + 1;
  while (at < lines.length && !isPlaced(lines[at])) at += 1;
  const next = lines[at];
  const withNext = next?.shift ?? 0;
  return next && indentOf(next) === indentOf(own) ? withNext : (before.get(indentOf(own)) ?? withNext);
}

/** Whether the offset of a non-blank line is known. */
function isPlaced(line: Line | undefined): line is Line & { readonly shift: number } {
  return line?.shift !== undefined && !line.inText && line.text.trim() !== '';
}

function indentOf({ text }: Line): number {
  return /^ */.exec(text)?.[0].length ?? 0;
}

function lineEdits(
  text: string,
  { lines, texts }: { readonly lines: readonly Line[]; readonly texts: readonly (string | undefined)[] },
): readonly TextEdit[] {
  const edits = lines.flatMap((line, index): TextEdit[] => {
    const after = texts[index];
    const end = line.start + line.text.length;
    if (after === undefined)
      return [{ range: { start: line.start, end: lines[index + 1]?.start ?? text.length }, newText: '' }];
    if (after === line.text) return [];
    const indent = /^\s*/.exec(line.text)?.[0] ?? '';
    // Edits leading blanks only, which keeps cursors and marks in the line.
    if (after.trimStart() === line.text.slice(indent.length)) {
      const newText = after.slice(0, after.length - after.trimStart().length);
      return [{ range: { start: line.start, end: line.start + indent.length }, newText }];
    }
    return [{ range: { start: line.start, end }, newText: after }];
  });
  const isOpen = text !== '' && !text.endsWith('\n');
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  return isOpen ? [...edits, { range: { start: text.length, end: text.length }, newText: eol }] : edits;
}
