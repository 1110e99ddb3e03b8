import type { JoinPreview } from '../../../protocol/query-results.ts';

/** Neighbouring columns of one end of a relationship. */
export interface SideColumns {
  readonly end: 'source' | 'target';
  /** Indexes of the columns in the result. */
  readonly columns: readonly number[];
}

/** The columns of the source, then those of the target, each in the order of the query. Empty for a path, which has no sides. */
export function columnsBySide(sides: JoinPreview['sides']): readonly SideColumns[] {
  return (['source', 'target'] as const)
    .map((end) => ({ end, columns: [...sides.keys()].filter((column) => sides[column] === end) }))
    .filter(({ columns }) => columns.length > 0);
}
