import type { CardView, GraphView, RelationshipView } from './graph-view.ts';
import type { TextRange } from './query-results.ts';

/** The lists of a graph whose entries have a place in the text. */
export type EntryList = 'elements' | 'relationships';

/** A graph whose entries count lines from their own first line, so that text above an entry does not change it. */
export type GraphWithFirstLines = GraphView & Required<Pick<GraphView, 'firstLines'>>;

/** Moves the lines at which entries start out of the entries. */
export function withFirstLines(view: GraphView): GraphWithFirstLines {
  const { elements, relationships, firstLines } = view;
  if (firstLines) return { ...view, firstLines };
  return {
    ...view,
    elements: elements.map(fromOwnStart),
    relationships: relationships.map(fromOwnStart),
    firstLines: { elements: elements.map(startOf), relationships: relationships.map(startOf) },
  };
}

/** The line from which the ranges of an entry count. */
export function firstLineAt({ firstLines }: GraphView, list: EntryList, index: number): number {
  return firstLines?.[list][index] ?? 0;
}

/** A range, a number of lines further down. */
export function movedDown({ start, end }: TextRange, lines: number): TextRange {
  return { start: { ...start, line: start.line + lines }, end: { ...end, line: end.line + lines } };
}

function startOf({ extent }: CardView | RelationshipView): number {
  return extent.start.line;
}

function fromOwnStart<T extends CardView | RelationshipView>(entry: T): T {
  const { range, extent, problems } = entry;
  const lines = -startOf(entry);
  return {
    ...entry,
    range: movedDown(range, lines),
    extent: movedDown(extent, lines),
    ...(problems && { problems: problems.map((each) => ({ ...each, range: movedDown(each.range, lines) })) }),
  };
}
