import type { DraftAnswer, DraftRole, OmittedObject } from '../../../protocol/first-draft.ts';
import type { Catalog, DataObject } from '../catalog/catalog.ts';

export type { DraftAnswer, DraftChoice, DraftColumn, DraftRole, OmittedObject } from '../../../protocol/first-draft.ts';

/** The answers about one table. */
export type ChosenColumns = Readonly<Partial<Record<DraftRole, readonly string[]>>>;

export function chosenColumnsOf(dataObject: string, answers: readonly DraftAnswer[]): ChosenColumns {
  return Object.fromEntries(
    answers.filter((answer) => answer.dataObject === dataObject).map(({ role, columns }) => [role, columns]),
  );
}

/**
 * The default data objects of a first graph. Partitions, tables that inherit from others and views of tables are left out,
 * because their rows are also rows of the tables. Fetched tables that extend others are kept: each row is read from its own.
 * Of a sheet and the Excel tables and ranges within it, the tables and ranges are taken if they hold most of its rows.
 */
export function draftable({ objects, isFetched }: Pick<Catalog, 'objects' | 'isFetched'>): {
  readonly objects: readonly DataObject[];
  readonly leftOut: readonly OmittedObject[];
} {
  const hasTables = objects.some(({ kind }) => kind === 'table' || kind === 'partitioned table');
  const names = new Set(objects.map(({ name }) => name));
  const rowsWithin = new Map<string, number>();
  for (const object of objects) {
    const { within } = object;
    if (within !== undefined) rowsWithin.set(within, (rowsWithin.get(within) ?? 0) + rowsOf(object));
  }
  const isDivided = (sheet: DataObject): boolean => 2 * (rowsWithin.get(sheet.name) ?? -1) >= rowsOf(sheet);
  const divided = new Set(objects.filter(isDivided).map(({ name }) => name));
  const reasonOf = ({ name, kind, within, extends: parents = [] }: DataObject): string | undefined => {
    if (divided.has(name)) return 'its rows are those of the tables and ranges within it';
    if (within !== undefined && names.has(within) && !divided.has(within)) return `its rows are also rows of ${within}`;
    const parent = isFetched ? undefined : parents.findLast((each) => names.has(each));
    if (parent !== undefined) return `it inherits from ${parent}: its rows are also rows of that table`;
    if (kind === 'partition') return 'it is a partition: its rows are those of its table';
    const isView = kind === 'view' || kind === 'materialized view';
    return isView && hasTables && !isFetched ? 'it is a view: its rows are those of tables' : undefined;
  };
  return {
    objects: objects.filter((object) => reasonOf(object) === undefined),
    leftOut: objects.flatMap((object) => {
      const reason = reasonOf(object);
      return reason === undefined ? [] : [{ dataObject: object.name, reason }];
    }),
  };
}

function rowsOf({ statistics }: DataObject): number {
  return statistics.rowEstimate ?? 0;
}
