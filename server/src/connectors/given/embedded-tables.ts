import { type Column, findDataObject } from '../../catalog/catalog.ts';
import type { WrittenValue } from '../../catalog/written-value.ts';
import { hasOffset, jsonOf } from '../../dialects/standard/written-value.ts';
import type { CompiledQuery, ElementQuery } from '../../query/compiled-query.ts';
import { fileRowColumn } from '../../query/file-row.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import type { GivenData } from './given-data.ts';

/** The values of a data object. */
export function valuesTableSql(data: GivenData, name: string, table: string): string {
  return tableSql(data, name, table, false);
}

/** Its values, the texts as written, and the numbers of the rows. */
export function wholeTableSql(data: GivenData, name: string, table: string): string {
  return tableSql(data, name, table, true);
}

/** A table needs one. */
export function hasColumns({ catalog }: GivenData, name: string): boolean {
  return (findDataObject(catalog, name)?.columns.length ?? 0) > 0;
}

function tableSql({ catalog, objects, timeZone }: GivenData, name: string, table: string, isWhole: boolean): string {
  const columns = findDataObject(catalog, name)?.columns ?? [];
  const rows = objects.find(({ dataObject }) => dataObject === name)?.rows ?? [];
  const create = `CREATE TEMP TABLE ${quoteIdentifier(table)}`;
  if (rows.length === 0) {
    const values = columns.map((column) => `${quoteIdentifier(column.name)} ${column.type}`);
    const texts = columns.map((_, index) => `${textColumn(index)} VARCHAR`);
    return `${create} (${[...values, ...(isWhole ? [...texts, `${rowColumn} BIGINT`] : [])].join(', ')})`;
  }
  const lines = rows.map((row, index) => {
    const cells = columns.map((column) => row.get(column.name) ?? missing);
    const typed = cells.map((cell, at) => {
      const column = columns[at] ?? textOnly;
      return cell.kind === 'null' ? nullOf(column.type) : givenCellSql(cell, column, timeZone);
    });
    const written = ({ kind, text }: WrittenValue): string =>
      kind === 'null' ? nullOf('VARCHAR') : embeddedLiteral(text);
    return `(${[...typed, ...(isWhole ? [...cells.map(written), `${index + 1}::BIGINT`] : [])].join(', ')})`;
  });
  const values = columns.map((column) => quoteIdentifier(column.name));
  const names = isWhole ? [...values, ...columns.map((_, at) => textColumn(at)), rowColumn] : values;
  return `${create} AS FROM (VALUES ${lines.join(',\n')}) AS given (${names.join(', ')})`;
}

/** A table created from values takes its types from these. */
function nullOf(type: string): string {
  return `CAST(NULL AS ${type})`;
}

const rowColumn = '"given row"';
const missing: WrittenValue = { kind: 'null', text: '' };
const textOnly = { name: '', type: 'VARCHAR', sense: 'text', nullable: true, primaryKey: false } as const;

function textColumn(index: number): string {
  return `"given text ${index + 1}"`;
}

/** Columns that a query wants of a data object beside its values, of the whole table: texts as written, and the order of the rows. */
export function extraColumns({ catalog }: GivenData, query: CompiledQuery, index: number): readonly string[] {
  const name = query.dataObjects[index] ?? '';
  const columns = findDataObject(catalog, name)?.columns ?? [];
  const texts = (query.texts ?? []).filter(({ dataObject }) => dataObject === name);
  const hasRow = index === 0 && 'roles' in query && (query as ElementQuery).roles.rowOrder !== undefined;
  return [
    ...texts.map(({ column, as }) => {
      const at = columns.findIndex((each) => each.name === column);
      return `${textColumn(at)} AS ${quoteIdentifier(as)}`;
    }),
    ...(hasRow ? [`${rowColumn} AS ${quoteIdentifier(fileRowColumn)}`] : []),
  ];
}

/** The rows in order, of a whole table. */
export function viewSql({ catalog }: GivenData, name: string, extra: readonly string[], table: string): string {
  const columns = findDataObject(catalog, name)?.columns ?? [];
  const list = [...columns.map((column) => quoteIdentifier(column.name)), ...extra];
  const inOrder = `SELECT ${list.join(', ')} FROM temp.${quoteIdentifier(table)} ORDER BY ${rowColumn}`;
  return `CREATE OR REPLACE TEMP VIEW ${quoteIdentifier(name)} AS ${inOrder}`;
}

/**
 * A written value as SQL of the type of its column. A time without offset is in the time zone of the source, and so is
 * the time that a column without zone gets of one with an offset.
 */
function givenCellSql(value: WrittenValue, { type, sense }: Column, timeZone: string): string {
  const { kind, text } = value;
  if (kind === 'null') return 'NULL';
  const literal = quote(text);
  switch (sense) {
    case 'timestamp': {
      const isZoned = /^(?:TIMESTAMP WITH TIME ZONE|TIMESTAMPTZ)$/i.test(type);
      const time = `CAST(${literal} AS ${hasOffset(text) ? 'TIMESTAMPTZ' : 'TIMESTAMP'})`;
      const moved = isZoned === hasOffset(text) ? time : `timezone(${quote(timeZone)}, ${time})`;
      return `CAST(${moved} AS ${type})`;
    }
    case 'json':
      return `CAST(CAST(${quote(jsonOf(value))} AS JSON) AS ${type})`;
    default:
      return `CAST(${literal} AS ${type})`;
  }
}

function quote(text: string): string {
  return embeddedLiteral(text);
}
