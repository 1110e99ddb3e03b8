import type { EntityRow } from '../../../protocol/entities-table.ts';
import { columnContent } from './columns.ts';
import { type Column, type EntitiesState, type Sort, problemText, statusWords } from './entities-state.ts';

/** The first click sorts ascending (times: newest first), the second reverses. */
export function sortedBy({ column, descending }: Sort, chosen: Column): Sort {
  return chosen === column
    ? { column, descending: !descending }
    : { column: chosen, descending: columnContent(chosen).latestFirst === true };
}

/** The filtered and sorted rows; ties by name, then by path. */
export function shownRows({
  rows = [],
  filter,
  sort,
}: Pick<EntitiesState, 'rows' | 'filter' | 'sort'>): readonly EntityRow[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = rows.filter((row) => {
    const text = searchText(row);
    return words.every((word) => text.includes(word));
  });
  const { sortText } = columnContent(sort.column);
  const direction = sort.descending ? -1 : 1;
  return found.toSorted(
    (one, other) =>
      direction * compare(sortText(one), sortText(other)) ||
      compare(one.name, other.name) ||
      compare(one.path, other.path),
  );
}

function searchText(row: EntityRow): string {
  const { name, dataSources, path, problem } = row;
  const texts = [name, ...dataSources, path, statusWords(row), row.progress ?? '', problem ? problemText(problem) : ''];
  return texts.join(' ').toLowerCase();
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function compare(one: string, other: string): number {
  return collator.compare(one, other);
}
