import { type Node, type Pair, isMap, isNode, isScalar, isSeq } from 'yaml';
import { type EditableYaml, dashesOf, readEditable } from '../model/edits/editable-yaml.ts';
import { sameValue } from '../model/edits/json-value.ts';
import { type TextEdit, applyEdits } from '../model/edits/text-edit.ts';
import { plainDocument } from '../model/plain-value.ts';
import type { SourceRange } from '../model/source-range.ts';

/** Spaces that a level is indented by. */
const step = 2;

/**
 * Edits that give a file one look: entries indented by two spaces, lists below their key too, one blank after a dash, no
 * blanks at the ends of lines, never two blank lines, a line break at the end. What is written in the lines, comments
 * and custom SQL among it, stays. A text that cannot be read, or that would mean something else, gets no edit.
 */
export function formatDocument(text: string): readonly TextEdit[] {
  const yaml = readEditable(text);
  if (yaml.document.errors.length > 0) return [];
  const edits = yaml.style.json ? formatJson(text) : lineEdits(text, formattedLines(yaml));
  return edits.length === 0 || keepsMeaning(text, yaml)(edits) ? edits : [];
}

/** Whether a text says after some edits what it says now. */
function keepsMeaning(text: string, yaml: EditableYaml = readEditable(text)): (edits: readonly TextEdit[]) => boolean {
  return (edits) => {
    const after = readEditable(applyEdits(text, edits));
    return after.document.errors.length === 0 && meansTheSame(after, yaml);
  };
}

/** False as well where aliases multiply without bound or lead into themselves: such a text stays as it is. */
function meansTheSame(one: EditableYaml, other: EditableYaml): boolean {
  const meaning = plainDocument(one.document, one.text);
  return meaning !== undefined && sameValue(meaning, plainDocument(other.document, other.text));
}

function formatJson(text: string): readonly TextEdit[] {
  try {
    const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
    const formatted = `${JSON.stringify(JSON.parse(text), null, step)}\n`.replaceAll('\n', eol);
    return formatted === text ? [] : [{ range: { start: 0, end: text.length }, newText: formatted }];
  } catch {
    // YAML in braces, which JSON does not know.
    return [];
  }
}

interface Line {
  readonly start: number;
  /** Without its line break. */
  readonly text: string;
  /** Inside a text over several lines, where every sign counts. */
  inText: boolean;
  /** How far it moves to the right; undefined until it is known. */
  shift: number | undefined;
  /** Where blanks after its dashes are, and how many there should be: always one. */
  readonly dashes: number[];
}

/** The new text of every line; undefined for one that goes. */
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
    // Only what begins a line decides where the line stands.
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
  /** How far the last line before that is so far in moves. */
  const shifts = new Map<number, number>();
  return lines.map((line, index) => {
    if (isPlaced(line)) shifts.set(indentOf(line), line.shift);
    const { text, inText, dashes } = line;
    if (text.trim() === '') {
      if (inText) return text;
      const before = lines[index - 1];
      const isLast = index === lines.length - 1;
      // The last line of a split is what follows the last line break.
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

/** A comment stands with what follows it, or with what is before it when that is as far in. */
function shiftOfComment(lines: readonly Line[], index: number, before: ReadonlyMap<number, number>): number {
  const own = lines[index];
  if (!own?.text.trimStart().startsWith('#')) return 0;
  let at = index + 1;
  while (at < lines.length && !isPlaced(lines[at])) at += 1;
  const next = lines[at];
  const withNext = next?.shift ?? 0;
  return next && indentOf(next) === indentOf(own) ? withNext : (before.get(indentOf(own)) ?? withNext);
}

/** Whether it is known how far a line with something in it moves. */
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
    // Blanks at the front alone: an edit there leaves cursors and marks in the line where they are.
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

/**
 * Edits that give some lines of a text the look of `formatDocument`. What lines mean hangs on how far their neighbours are
 * indented: where the lines alone would say something else, they are left as they are.
 */
export function formatRange(text: string, { start, end }: SourceRange): readonly TextEdit[] {
  const all = formatDocument(text);
  const within = all.filter(({ range }) => range.start >= start && range.end <= end);
  if (within.length === 0 || within.length === all.length) return within;
  const isSame = keepsMeaning(text);
  if (isSame(within)) return within;
  // What takes blanks away at ends of lines, and blank lines, needs no neighbours.
  const inPlace = within.flatMap((edit) => withOldIndentation(text, edit) ?? []);
  return inPlace.length > 0 && isSame(inPlace) ? inPlace : [];
}

/** An edit without what it changes at the front of its line; undefined when that is all. */
function withOldIndentation(text: string, { range, newText }: TextEdit): TextEdit | undefined {
  const old = text.slice(range.start, range.end);
  if (old.trim() === '')
    return old.includes('\n') || /^\r?\n/.test(text.slice(range.end, range.end + 2)) ? { range, newText } : undefined;
  return { range, newText: `${/^ */.exec(old)?.[0]}${newText.trimStart()}` };
}

/**
 * Where a new line begins after Enter: behind the dash of the entry above, so that its next key can be typed at once;
 * one level in after a key without a value.
 * @param lineStart offset of the new line.
 */
export function indentNewLine(text: string, lineStart: number): TextEdit | undefined {
  const before = text.slice(0, Math.max(0, lineStart - 1)).replace(/\r$/, '');
  const above = before.slice(before.lastIndexOf('\n') + 1);
  const [, indent = '', dashes = '', rest = ''] = /^( *)((?:- +)*)(.*)$/.exec(above) ?? [];
  const line = /^.*/.exec(text.slice(lineStart))?.[0] ?? '';
  const now = /^ */.exec(line)?.[0].length ?? 0;
  if (line.trim() !== '' || rest.trim() === '' || rest.startsWith('#')) return undefined;
  const isKey = /^[^\s#'"[{][^#]*:(\s|$)/.test(rest);
  const opens = /:\s*(#.*)?$/.test(rest) || /:\s+[|>][-+0-9]*\s*$/.test(rest);
  if (!isKey) return undefined;
  const wanted = indent.length + dashes.length + (opens ? step : 0);
  return wanted === now
    ? undefined
    : { range: { start: lineStart, end: lineStart + now }, newText: ' '.repeat(wanted) };
}
