import { type Node, isCollection, isMap, isNode, isPair, isScalar, isSeq } from 'yaml';
import type { LineIndex } from '../model/line-index.ts';
import { type Steps, toEnd } from '../model/steps.ts';
import type { YamlText } from '../model/yaml-text.ts';

/** Lines (0-based, both included) that can be folded away. */
export interface FoldedLines {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind?: 'comment' | 'region';
}

/**
 * What of a file can be folded away, from its first line to the last one that says something: entries of lists, values on
 * lines below their keys, comments of several lines, and regions.
 */
export function foldingRanges(yaml: YamlText, lines: LineIndex): readonly FoldedLines[] {
  return toEnd(findingFolds(yaml, lines));
}

/** The same, entry by entry. */
export function* findingFolds({ document, text }: YamlText, lines: LineIndex): Steps<readonly FoldedLines[]> {
  const found: FoldedLines[] = [];
  const texts: FoldedLines[] = [];
  const lineAt = (offset: number): number => lines.position(offset).line;
  const fold = (start: number, end: number): FoldedLines[] => {
    const [startLine, endLine] = [lineAt(start), lineAt(lastSign(text, end))];
    return endLine > startLine ? [{ startLine, endLine }] : [];
  };

  /** Where entries end that were visited before what they stand in. */
  const ends = new Map<Node, number>();

  /** Gives where the node ends; comments behind the last entry of a list are none of it. */
  function visit(node: Node): number {
    const known = ends.get(node);
    if (known !== undefined) return known;
    const [start = 0, end = 0] = node.range ?? [];
    if (isScalar(node)) {
      texts.push(...fold(start, end));
      return end;
    }
    if (!isCollection(node)) return end;
    let last = start;
    for (const item of node.items) {
      if (isPair(item)) {
        const keyStart = isNode(item.key) ? item.key.range?.[0] : undefined;
        last = isNode(item.value) ? visit(item.value) : isNode(item.key) ? (item.key.range?.[1] ?? last) : last;
        if (keyStart !== undefined) found.push(...fold(keyStart, last));
      } else if (isNode(item)) {
        last = visit(item);
        if (isMap(item)) found.push(...fold(item.range?.[0] ?? last, last));
      }
    }
    return node.flow ? end : last;
  }

  const { contents } = document;
  if (contents) {
    for (const entry of entriesIn(contents)) {
      ends.set(entry, visit(entry));
      yield;
    }
    const end = visit(contents);
    // JSON is one pair of braces.
    if (isCollection(contents) && contents.flow) found.push(...fold(contents.range[0], end));
  }
  texts.sort((left, right) => left.startLine - right.startLine);
  return longestOfLine([...found, ...(yield* commentLines(text, lines, texts))]);
}

/** The entries of the lists of a file. */
function entriesIn(contents: Node): readonly Node[] {
  if (!isMap(contents)) return [];
  return contents.items.flatMap(({ value }) => (isSeq(value) ? value.items.filter(isNode) : []));
}

/** How many lines are looked at at once. */
const linesOfStep = 500;

/** Editors fold one range a line. */
function longestOfLine(ranges: readonly FoldedLines[]): readonly FoldedLines[] {
  const ordered = ranges.toSorted((left, right) => left.startLine - right.startLine || right.endLine - left.endLine);
  return ordered.filter(({ startLine }, index) => ordered[index - 1]?.startLine !== startLine);
}

/** Where the last sign before an offset stands that is no white space. */
function lastSign(text: string, end: number): number {
  let at = end;
  while (at > 0 && /\s/.test(text.charAt(at - 1))) at -= 1;
  return Math.max(0, at - 1);
}

/** Comments on lines of their own that follow each other, and what stands between `# region` and `# endregion`. */
function* commentLines(
  text: string,
  { starts }: LineIndex,
  texts: readonly FoldedLines[],
): Steps<readonly FoldedLines[]> {
  const found: FoldedLines[] = [];
  const regions: number[] = [];
  let start: number | undefined;
  let textAt = 0;
  const close = (line: number): void => {
    if (start !== undefined && line - 1 > start) found.push({ startLine: start, endLine: line - 1, kind: 'comment' });
    start = undefined;
  };
  for (const [line, from] of starts.entries()) {
    if (line % linesOfStep === linesOfStep - 1) yield;
    const content = text.slice(from, starts[line + 1]);
    while ((texts[textAt]?.endLine ?? Infinity) < line) textAt += 1;
    // Inside a text a number sign is a letter like any other.
    const inText = (texts[textAt]?.startLine ?? Infinity) < line;
    const comment = inText ? undefined : /^[ \t]*#\s*(region\b|endregion\b)?/.exec(content);
    if (comment && comment[1] === undefined) start ??= line;
    else close(line);
    if (comment?.[1] === 'region') regions.push(line);
    const opened = comment?.[1] === 'endregion' ? regions.pop() : undefined;
    if (opened !== undefined) found.push({ startLine: opened, endLine: line, kind: 'region' });
  }
  close(starts.length);
  return found;
}
