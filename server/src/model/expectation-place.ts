import type { RowExpectationResult } from '../../../protocol/import-progress.ts';
import { type EntityGraph, type EntitySource, type RowExpectations, masterDataName } from './entity-graph.ts';
import type { SourceRange } from './source-range.ts';

/** The entry of which something is expected. */
export type ExpectingName = Pick<RowExpectationResult, 'element' | 'isOfEntities'>;

/** Finds the entry of a file that a result is about: of several with one name, the first. */
export function expectingEntries({
  elements,
  entities,
}: Pick<EntityGraph, 'elements' | 'entities'>): (result: ExpectingName) => EntitySource | undefined {
  const ofElements = firstByName(elements, ({ activityName }) => activityName?.value);
  const ofEntities = firstByName(entities, masterDataName);
  return ({ element, isOfEntities }) => (isOfEntities === true ? ofEntities : ofElements).get(element);
}

function firstByName<Entry>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string | undefined,
): ReadonlyMap<string | undefined, Entry> {
  return new Map(entries.toReversed().map((entry) => [nameOf(entry), entry]));
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
