import type { TextRange } from './query-results.ts';
import type { graphListName, graphTextName } from './shapes/canvas-value-shapes.ts';
import type { Checked } from './shapes/shape.ts';

/** The fields of a graph that are one text. */
export type GraphTextName = Checked<typeof graphTextName>;

/** The parts of a graph with entries of their own that have no card and no line. */
export type GraphListName = Checked<typeof graphListName>;

/** What a graph has besides data objects, cards and relationships. */
export interface GraphParts {
  readonly texts: { readonly [Name in GraphTextName]?: string };
  readonly entries: { readonly [Name in GraphListName]: readonly GraphEntry[] };
}

/** An entry of a list, as it is written. */
export interface GraphEntry {
  /** Its name, or the element or relationship that it is about. */
  readonly name: string;
  /** The rest of its text, on one line. */
  readonly detail: string;
  readonly range: TextRange;
}
