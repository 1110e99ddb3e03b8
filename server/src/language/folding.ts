import type { EntityGraph } from '../model/entity-graph.ts';
import type { LineIndex } from '../model/line-index.ts';

/** Lines (0-based, both included) that can be folded away. */
export interface FoldedLines {
  readonly startLine: number;
  readonly endLine: number;
}

/** Elements, relationships and their lists, each from its first line to the last one that says something. */
export function foldingRanges(
  { elements, relationships }: EntityGraph,
  text: string,
  lines: LineIndex,
): readonly FoldedLines[] {
  const fold = (start: number, end: number): FoldedLines[] => {
    const startLine = lines.position(start).line;
    const endLine = lines.position(text.slice(0, end).trimEnd().length).line;
    return endLine > startLine ? [{ startLine, endLine }] : [];
  };
  const listOf = (
    entries: readonly { readonly range: { readonly start: number; readonly end: number } }[],
  ): FoldedLines[] => {
    const [first, last] = [entries[0], entries.at(-1)];
    if (!first || !last) return [];
    const key = text.lastIndexOf('\n', text.lastIndexOf('\n', first.range.start - 1) - 1) + 1;
    return [...fold(key, last.range.end), ...entries.flatMap(({ range }) => fold(range.start, range.end))];
  };
  return [...listOf(elements), ...listOf(relationships)];
}
