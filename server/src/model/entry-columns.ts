import { elementFields } from '../../../protocol/fields/element.ts';
import type { Field, FieldTable } from '../../../protocol/fields/field.ts';
import { masterDataFields } from '../../../protocol/fields/master-data.ts';
import {
  type EntitySource,
  type PropertySelection,
  type RowCorrelation,
  type RowExpectations,
  expectedColumns,
} from './entity-graph.ts';
import type { Located, LocatedSql } from './source-range.ts';

/** A column that an entry names outside of custom SQL. */
export interface EntryColumn {
  readonly name: Located<string>;
  readonly field: Field;
}

/** The columns that an entry names outside of custom SQL, by its fields in writing order, including repeated ones. */
export function columnsOfEntry(entry: EntitySource): readonly EntryColumn[] {
  const found: EntryColumn[] = [];
  for (const [key, field] of rowsOf(entry)) {
    const value = entry[key as keyof EntitySource];
    if (value !== undefined)
      for (const name of namesOf[field.type]?.(value as never) ?? []) found.push({ name, field });
  }
  return found;
}

const namesOf: { readonly [Type in Field['type']]?: (value: never) => readonly Located<string>[] } = {
  column: (column: Located<string>) => [column],
  time: (column: Located<string>) => [column],
  key: (columns: readonly Located<string>[]) => columns,
  properties: (selection: PropertySelection) => (selection.kind === 'list' ? selection.columns : []),
  rowCorrelations: (entries: readonly RowCorrelation[]) => entries.flatMap(({ key }) => key),
  expectations: (expect: RowExpectations) => expectedColumns({ expect }),
};

/** A time of an entry. */
export interface EntryTime {
  readonly column: Located<string> | undefined;
  /** Whether its dates are the ends of their days, and the dialog value that says so. */
  readonly atEndOfDay: Located<boolean> | undefined;
  readonly flag: string;
}

/** The times of an entry, in writing order. */
export function timesOfEntry(entry: EntitySource): readonly EntryTime[] {
  const values = entry as unknown as Readonly<Record<string, Located<string> & Located<boolean>>>;
  return rowsOf(entry).flatMap(([key, { type, atEndOfDay: flag = '' }]) =>
    type === 'time' ? [{ column: values[key], atEndOfDay: values[flag], flag }] : [],
  );
}

/** Custom SQL of an entry, as its rows are made: times that are computed, joins and filter. */
export function sqlOfEntry(entry: EntitySource): readonly LocatedSql[] {
  const values = entry as unknown as Readonly<Record<string, LocatedSql>>;
  return rowsOf(entry).flatMap(([key, { type, expression }]) => {
    const name = type === 'sql' ? key : expression;
    return (name === undefined ? undefined : values[name]) ?? [];
  });
}

/** A field of the entries of a list; undefined for other keys. */
export function fieldOfEntry(list: 'elements' | 'entities', key: string): Field | undefined {
  const fields: FieldTable = list === 'elements' ? elementFields : masterDataFields;
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

const elementRows = Object.entries<Field>(elementFields);
const masterDataRows = Object.entries<Field>(masterDataFields);

function rowsOf(entry: EntitySource): readonly (readonly [string, Field])[] {
  return 'isMasterData' in entry ? masterDataRows : elementRows;
}
