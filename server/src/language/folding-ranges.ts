import { type Node, isCollection, isMap, isNode, isPair, isScalar, isSeq } from 'yaml';
import type { LineIndex } from '../model/line-index.ts';
import type { Steps } from '../model/steps.ts';
import type { YamlText } from '../model/yaml-text.ts';

/** A foldable range of lines (0-based, inclusive). */
export interface FoldedLines {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind?: 'comment' | 'region';
}

/** Folds of entries by node: unchanged entries are not visited again. */
export type FoldCache = WeakMap<Node, EntryFolds>;

/** Lines and offsets relative to the start of an entry. */
interface EntryFolds {
  readonly found: readonly FoldedLines[];
  readonly texts: readonly FoldedLines[];
  readonly end: number;
}

/**
 * Foldable ranges of a file, up to the last non-blank line: list entries, values below their keys, multi-line comments,
 * and regions. It yields at each entry.
 */
export function* findingFolds(
  { document, text }: YamlText,
  lines: LineIndex,
  cache: FoldCache = new WeakMap(),
): Steps<readonly FoldedLines[]> {
  let found: FoldedLines[] = [];
  let texts: FoldedLines[] = [];
  const lineAt = (offset: number): number => lines.position(offset).line;
  const fold = (start: number, end: number, to: FoldedLines[]): void => {
    const [startLine, endLine] = [lineAt(start), lineAt(lastSign(text, end))];
    if (endLine > startLine) to.push({ startLine, endLine });
  };

  /** Ends of entries visited before their parents. */
  const ends = new Map<Node, number>();

  /** Returns the end of a node, without comments after the last entry of a list. */
  function visit(node: Node): number {
    const known = ends.get(node);
    if (known !== undefined) return known;
    const start = node.range?.[0] ?? 0;
    const end = node.range?.[1] ?? 0;
    if (isScalar(node)) {
      fold(start, end, texts);
      return end;
    }
    if (!isCollection(node)) return end;
    let last = start;
    for (const item of node.items) {
      if (isPair(item)) {
        const keyStart = isNode(item.key) ? item.key.range?.[0] : undefined;
        last = isNode(item.value) ? visit(item.value) : isNode(item.key) ? (item.key.range?.[1] ?? last) : last;
        if (keyStart !== undefined) fold(keyStart, last, found);
      } else if (isNode(item)) {
        last = visit(item);
        if (isMap(item)) fold(item.range?.[0] ?? last, last, found);
      }
    }
    return node.flow ? end : last;
  }

  function visitAlone(entry: Node, start: number, line: number): EntryFolds {
    const [foundBefore, textsBefore] = [found, texts];
    [found, texts] = [[], []];
    const end = visit(entry);
    const folds = { found: moved(found, -line), texts: moved(texts, -line), end: end - start };
    [found, texts] = [foundBefore, textsBefore];
    return folds;
  }

  const { contents } = document;
  if (contents) {
    for (const entry of entriesIn(contents)) {
      const start = entry.range?.[0] ?? 0;
      const line = lineAt(start);
      const folds = cache.get(entry) ?? visitAlone(entry, start, line);
      cache.set(entry, folds);
      found.push(...moved(folds.found, line));
      texts.push(...moved(folds.texts, line));
      ends.set(entry, start + folds.end);
      yield;
    }
    const end = visit(contents);
    // JSON is a single flow mapping.
    if (isCollection(contents) && contents.flow) fold(contents.range[0], end, found);
  }
  texts.sort((left, right) => left.startLine - right.startLine);
  return longestOfLine([...found, ...(yield* commentLines(text, lines, texts))]);
}

function moved(folds: readonly FoldedLines[], by: number): FoldedLines[] {
  return folds.map(({ startLine, endLine }) => ({ startLine: startLine + by, endLine: endLine + by }));
}

/** The list entries of a file. */
function entriesIn(contents: Node): readonly Node[] {
  if (!isMap(contents)) return [];
  return contents.items.flatMap(({ value }) => (isSeq(value) ? value.items.filter(isNode) : []));
}

/** Number of number signs per time slice. */
const signsOfStep = 500;

/** Editors support one range per line. */
function longestOfLine(ranges: readonly FoldedLines[]): readonly FoldedLines[] {
  const ordered = ranges.toSorted((left, right) => left.startLine - right.startLine || right.endLine - left.endLine);
  return ordered.filter(({ startLine }, index) => ordered[index - 1]?.startLine !== startLine);
}

/** Offset of the last non-blank character before an offset. */
function lastSign(text: string, end: number): number {
  let at = end;
  while (at > 0 && /\s/.test(text.charAt(at - 1))) at -= 1;
  return Math.max(0, at - 1);
}

/** Consecutive comment lines, and text between `# region` and `# endregion`. */
function* commentLines(
  text: string,
  { starts }: LineIndex,
  texts: readonly FoldedLines[],
): Steps<readonly FoldedLines[]> {
  const found: FoldedLines[] = [];
  const regions: number[] = [];
  let start: number | undefined;
  let textAt = 0;
  let last = -1;
  const close = (): void => {
    if (start !== undefined && last > start) found.push({ startLine: start, endLine: last, kind: 'comment' });
    start = undefined;
  };
  let line = 0;
  let signs = 0;
  // Searches for `#` only: most files have few comments, and clients request folding ranges after each pause in typing.
  for (let at = text.indexOf('#'); at >= 0; at = text.indexOf('#', starts[line + 1] ?? text.length)) {
    if ((signs += 1) % signsOfStep === 0) yield;
    while ((starts[line + 1] ?? Infinity) <= at) line += 1;
    const comment = /^[ \t]*#\s*(region\b|endregion\b)?/.exec(text.slice(starts[line], starts[line + 1]));
    while ((texts[textAt]?.endLine ?? Infinity) < line) textAt += 1;
    // Within a scalar a number sign is an ordinary character.
    const inText = (texts[textAt]?.startLine ?? Infinity) < line;
    if (!comment || inText) continue;
    if (last !== line - 1 || comment[1] !== undefined) close();
    if (comment[1] === undefined) start ??= line;
    last = comment[1] === undefined ? line : -1;
    if (comment[1] === 'region') regions.push(line);
    const opened = comment[1] === 'endregion' ? regions.pop() : undefined;
    if (opened !== undefined) found.push({ startLine: opened, endLine: line, kind: 'region' });
  }
  close();
  return found;
}
