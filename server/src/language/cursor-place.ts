import type { SourceRange } from '../model/source-range.ts';
import { flowPlace } from './flow-place.ts';
import { type LineParts, endOfLine, isComment, readLine } from './yaml-line.ts';

/** Where in the structure of a document a cursor stands. */
export interface CursorPlace {
  /** Keys from the root; `[]` for an entry of a list. Ends with the key whose value the cursor is in, if in a value. */
  readonly path: readonly string[];
  /** Places in the lists on the path, in order. */
  readonly indexes: readonly number[];
  readonly in: 'key' | 'value';
  /** What is being typed and would be replaced. */
  readonly replace: SourceRange;
  /** Keys that the object around the cursor already has, the one being typed left out. */
  readonly siblings: readonly string[];
  /** The plain values of those keys, as far as they stand on the key's own line: known also where the text does not parse. */
  readonly siblingValues: ReadonlyMap<string, string>;
}

/**
 * The place of a cursor, found from the indentation of the lines around it: it works while the text does not parse. Inside
 * braces and brackets on one line, from their nesting. Undefined inside a comment or a block scalar.
 */
export function cursorPlace(text: string, offset: number): CursorPlace | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = endOfLine(text, offset);
  const line = text.slice(lineStart, lineEnd);
  const before = text.slice(lineStart, offset);
  if (isComment(before)) return undefined;
  const frames = openFrames(text, lineStart);
  if (frames === undefined) return undefined;
  const own = readLine(line);
  const dashes = own.dashes;
  const column = before.trim() === '' && own.content === '' ? before.length : own.indent;
  const stack = frames.filter(
    (frame) => frame.indent < column || (frame.indent === column && frame.kind === 'list' && dashes > 0),
  );
  let path = stack.flatMap((frame) => frame.steps);
  const indexes = stack.flatMap((frame) => frame.indexes);
  if (dashes > 0) {
    const listIndex = countEntriesBefore(text, lineStart, own.indent);
    path = [...path, '[]'];
    indexes.push(listIndex);
  }
  return placeInLine({ text, offset, lineStart, line, own, path, indexes });
}

interface Frame {
  readonly kind: 'map' | 'list';
  readonly indent: number;
  readonly steps: readonly string[];
  readonly indexes: readonly number[];
}

/** The chain of keys and lists that the lines above a line leave open; undefined when the line is text of a block scalar. */
function openFrames(text: string, lineStart: number): readonly Frame[] | undefined {
  const frames: Frame[] = [];
  /** Columns left of which a key or a dash still opens something around the line. */
  let keyLimit = Infinity;
  let dashLimit = Infinity;
  const own = readLine(text.slice(lineStart, endOfLine(text, lineStart)));
  const ownIndent = own.content === '' && own.dashes === 0 ? Infinity : own.indent;
  for (let end = lineStart - 1; end > 0 && keyLimit > 0;) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end);
    end = start - 1;
    if (line.trim() === '' || isComment(line)) continue;
    const { key, value, contentColumn, dashes, indent } = readLine(line);
    if (key !== undefined && contentColumn < keyLimit) {
      if (opensBlock(value)) {
        if (/^[|>]/.test(value?.trim() ?? '') && ownIndent > contentColumn) return undefined;
        frames.unshift({ kind: 'map', indent: contentColumn, steps: [key], indexes: [] });
      }
      keyLimit = contentColumn;
      dashLimit = Math.min(dashLimit, contentColumn);
    }
    if (dashes > 0 && indent < dashLimit) {
      const index = countEntriesBefore(text, start, indent);
      frames.unshift({ kind: 'list', indent, steps: ['[]'], indexes: [index] });
      dashLimit = indent;
      // A list may stand in the column of its own key.
      keyLimit = Math.min(keyLimit, indent + 1);
    }
  }
  return frames;
}

function opensBlock(value: string | undefined): boolean {
  const trimmed = (value ?? '').replace(/(^|\s)#.*$/, '').trim();
  return trimmed === '' || /^[|>&!]/.test(trimmed);
}

/** Entries of the list at this indentation that begin before a line. */
function countEntriesBefore(text: string, lineStart: number, indent: number): number {
  let count = 0;
  for (let end = lineStart - 1; end > 0;) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const parts = readLine(text.slice(start, end));
    end = start - 1;
    if (parts.content === '' && parts.dashes === 0) continue;
    if (parts.content.startsWith('#')) continue;
    if (parts.dashes > 0 && parts.indent === indent) count += 1;
    else if (parts.indent < indent || (parts.indent === indent && parts.dashes === 0)) break;
  }
  return count;
}

interface LineContext {
  readonly text: string;
  readonly offset: number;
  readonly lineStart: number;
  readonly line: string;
  readonly own: LineParts;
  readonly path: readonly string[];
  readonly indexes: readonly number[];
}

function placeInLine({ text, offset, lineStart, line, own, path, indexes }: LineContext): CursorPlace {
  const column = offset - lineStart;
  const flowStart = own.valueColumn !== undefined && column >= own.valueColumn ? own.valueColumn : own.contentColumn;
  const base = own.key !== undefined && flowStart === own.valueColumn ? [...path, own.key] : path;
  const flow = flowPlace(line, flowStart, column);
  if (flow) {
    return {
      path: [...base, ...flow.path],
      indexes: [...indexes, ...flow.indexes],
      in: flow.in,
      replace: { start: lineStart + flow.from, end: lineStart + Math.max(flow.to, column) },
      siblings: flow.siblings,
      siblingValues: new Map(),
    };
  }
  if (own.valueColumn !== undefined && column >= own.valueColumn && own.key !== undefined) {
    const word = valueRange(line, own.valueColumn);
    return {
      path: base,
      indexes,
      in: 'value',
      replace: shift(word, lineStart, column),
      siblings: [],
      siblingValues: siblingEntries(text, lineStart, own.contentColumn, own.dashes > 0),
    };
  }
  const isListValue = path.at(-1) === '[]' && own.key === undefined && own.dashes > 0;
  const keyEnd =
    own.key === undefined
      ? own.contentColumn + own.content.replace(/\s+#.*$/, '').length
      : own.contentColumn + line.slice(own.contentColumn).search(/\s*:(?=\s|$)/);
  const replace = shift({ start: Math.min(own.contentColumn, column), end: keyEnd }, lineStart, column);
  const siblings = siblingEntries(
    text,
    lineStart,
    own.contentColumn === own.indent && own.content === '' ? column : own.contentColumn,
    own.dashes > 0,
  );
  return {
    path,
    indexes,
    in: isListValue && !mayHoldObjects(path) ? 'value' : 'key',
    replace,
    siblings: [...siblings.keys()],
    siblingValues: siblings,
  };
}

/** Lists whose entries are objects; entries of the others are values. */
function mayHoldObjects(path: readonly string[]): boolean {
  return [
    'elements',
    'relationships',
    'mappings',
    'sourceMappings',
    'targetMappings',
    'scripted',
    'endpoints',
  ].includes(path.at(-2) ?? '');
}

function shift(range: { start: number; end: number }, lineStart: number, column: number): SourceRange {
  return { start: lineStart + range.start, end: lineStart + Math.max(range.end, column) };
}

function valueRange(line: string, from: number): { start: number; end: number } {
  const value = line
    .slice(from)
    .replace(/(^|\s+)#.*$/, '')
    .trimEnd();
  return { start: from, end: from + value.length };
}

/** Keys of the same object on the lines around, in both directions, with their plain values. */
function siblingEntries(
  text: string,
  lineStart: number,
  column: number,
  startsEntry: boolean,
): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  const visit = (line: string): 'on' | 'stop' => {
    if (line.trim() === '' || isComment(line)) return 'on';
    const parts = readLine(line);
    if (parts.contentColumn < column || (parts.contentColumn === column && parts.key === undefined)) return 'stop';
    if (parts.contentColumn === column && parts.key !== undefined)
      entries.set(parts.key, plainValue(parts.value ?? ''));
    return 'on';
  };
  for (let end = lineStart - 1; end > 0 && !startsEntry;) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end);
    if (visit(line) === 'stop' || (readLine(line).dashes > 0 && readLine(line).contentColumn <= column)) break;
    end = start - 1;
  }
  for (let start = endOfLine(text, lineStart) + 1; start < text.length;) {
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    if (readLine(line).dashes > 0 && readLine(line).indent < column) break;
    if (visit(line) === 'stop') break;
    start = end + 1;
  }
  return entries;
}

function plainValue(value: string): string {
  const text = value.replace(/(^|\s)#.*$/, '').trim();
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
