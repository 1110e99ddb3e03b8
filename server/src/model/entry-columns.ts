import { elementFields } from '../../../protocol/fields/element.ts';
import type { Field, FieldTable } from '../../../protocol/fields/field.ts';
import { masterDataFields } from '../../../protocol/fields/master-data.ts';
import {
  type EntitySource,
  type LifecycleColumn,
  type PropertySelection,
  type RowCorrelation,
  type RowExpectations,
  expectedColumns,
} from './entity-graph.ts';
import type { Located, LocatedSql } from './source-range.ts';

/** The fields by which an entry names columns outside of custom SQL, with the columns, in writing order. */
export function columnsOfEntry(entry: EntitySource): readonly EntryColumns[] {
  const found: EntryColumns[] = [];
  for (const { key, field, namesOf } of rowsOf(entry).columns) {
    const value = entry[key as keyof EntitySource];
    if (value !== undefined) found.push({ field, names: namesOf(value as never) });
  }
  return found;
}

/** The columns that a field of an entry names, including repeated ones. */
interface EntryColumns {
  readonly field: Field;
  readonly names: readonly Located<string>[];
}

type NamesOf = (value: never) => readonly Located<string>[];

const namesOfType: { readonly [Type in Field['type']]?: NamesOf } = {
  column: (column: Located<string>) => [column],
  time: (column: Located<string>) => [column],
  key: (columns: readonly Located<string>[]) => columns,
  properties: (selection: PropertySelection) => (selection.kind === 'list' ? selection.columns : []),
  rowCorrelations: (entries: readonly RowCorrelation[]) => entries.flatMap(({ key }) => key),
  expectations: (expect: RowExpectations) => expectedColumns({ expect }),
  lifecycle: ({ column }: LifecycleColumn) => (column ? [column] : []),
};

/** A field of an element that names one column. */
export type ColumnField = {
  [Key in keyof ElementFields]: ElementFields[Key]['type'] extends 'column' ? Key : never;
}[keyof ElementFields];

type ElementFields = typeof elementFields;

/** The fields of elements that name one column, in writing order. */
export const columnFields: readonly ({ readonly key: ColumnField } & Pick<Field, 'counts'>)[] = Object.entries<Field>(
  elementFields,
).flatMap(([key, { type, counts }]) =>
  type === 'column' ? [{ key: key as ColumnField, ...(counts && { counts }) }] : [],
);

/** A time of an entry. */
interface EntryTime {
  readonly column: Located<string> | undefined;
  /** Whether its dates are the ends of their days, and the dialog value that says so. */
  readonly atEndOfDay: Located<boolean> | undefined;
  readonly flag: string;
}

/** The times of an entry, in writing order. */
export function timesOfEntry(entry: EntitySource): readonly EntryTime[] {
  const values = entry as unknown as Readonly<Record<string, Located<string> & Located<boolean>>>;
  return rowsOf(entry).times.map(({ key, flag }) => ({ column: values[key], atEndOfDay: values[flag], flag }));
}

/** Custom SQL of an entry, as its rows are made: times that are computed, joins and filter. */
export function sqlOfEntry(entry: EntitySource): readonly LocatedSql[] {
  const values = entry as unknown as Readonly<Record<string, LocatedSql>>;
  return rowsOf(entry).sql.flatMap((name) => values[name] ?? []);
}

/** A field of the entries of a list; undefined for other keys. */
export function fieldOfEntry(list: 'elements' | 'entities', key: string): Field | undefined {
  const fields: FieldTable = list === 'elements' ? elementFields : masterDataFields;
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** The fields of a table by what they hold. */
interface Rows {
  readonly columns: readonly { readonly key: string; readonly field: Field; readonly namesOf: NamesOf }[];
  readonly times: readonly { readonly key: string; readonly flag: string }[];
  /** The names of the values that are SQL. */
  readonly sql: readonly string[];
}

const elementRows = rowsOfTable(elementFields);
const masterDataRows = rowsOfTable(masterDataFields);

function rowsOfTable(table: FieldTable): Rows {
  const fields = Object.entries(table);
  return {
    columns: fields.flatMap(([key, field]) => {
      const namesOf = namesOfType[field.type];
      return namesOf ? [{ key, field, namesOf }] : [];
    }),
    times: fields.flatMap(([key, { type, atEndOfDay: flag = '' }]) => (type === 'time' ? [{ key, flag }] : [])),
    sql: fields.flatMap(([key, { type, expression }]) => (type === 'sql' ? key : (expression ?? []))),
  };
}

function rowsOf(entry: EntitySource): Rows {
  return 'isMasterData' in entry ? masterDataRows : elementRows;
}
