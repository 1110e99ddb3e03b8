import type { RowExpectationResult } from '../../../protocol/import-progress.ts';
import { type EntityGraph, type EntitySource, type RowExpectations, masterDataName } from './entity-graph.ts';
import type { SourceRange } from './source-range.ts';

/** The entry of which something is expected. */
export type ExpectingName = Pick<RowExpectationResult, 'element' | 'isOfEntities'>;

/** The entry of a file that a result is about. */
export function expectingEntry(
  { element, isOfEntities }: ExpectingName,
  { elements, entities }: Pick<EntityGraph, 'elements' | 'entities'>,
): EntitySource | undefined {
  if (isOfEntities === true) return entities.find((entry) => masterDataName(entry) === element);
  return elements.find(({ activityName }) => activityName?.value === element);
}

/** The place of one expectation: its column or columns, or the number of rows. */
export function expectationRange(
  { unique, notNull, values, rows }: RowExpectations,
  { expectation, index }: Pick<RowExpectationResult, 'expectation' | 'index'>,
): SourceRange | undefined {
  switch (expectation) {
    case 'unique': {
      const columns = unique[index] ?? [];
      const [first, last] = [columns[0]?.range, columns.at(-1)?.range];
      return first && last && { start: first.start, end: last.end };
    }
    case 'notNull':
      return notNull[index]?.range;
    case 'values':
      return values[index]?.column.range;
    case 'rows':
      return rows?.range;
  }
}
