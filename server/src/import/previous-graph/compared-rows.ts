import type { StagedColumn } from '../../connectors/connector.ts';
import type { RowsBetween } from '../../connectors/load-result.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { runValue } from '../build/plan-statement.ts';
import { rangeSql } from '../build/row-ranges.ts';
import type { StagedElement } from '../build/staged-element.ts';
import { countIn } from './reuse-work.ts';

/** A staging table that is compared with the cached rows of the previous import. */
export interface ComparedRows {
  /** Description for users. */
  readonly name: string;
  readonly table: string;
  /** Pairs of a relationship have no order, so that they are counted; others are compared row by row. */
  readonly arePairs: boolean;
  /** Columns that decide which entities and events there are, and their order. */
  readonly deciding: readonly StagedColumn[];
  /** Columns that are only values of properties. */
  readonly values: readonly StagedColumn[];
}

/**
 * The columns of an element. Columns with expectations only are left out, unless rows have no order: then the text of
 * whole rows orders events that are equal otherwise.
 */
export function comparedElement(element: StagedElement, hasRowOrder: boolean): ComparedRows {
  const { plan, key, start, change, sequence, activity, rowOrder, correlations, properties } = element;
  const given = [start, change, sequence, activity, rowOrder].filter((column) => column !== undefined);
  const deciding = distinct([...key, ...given, ...correlations.flatMap((correlation) => correlation.key)]);
  const names = new Set(deciding.map(({ stagedAs }) => stagedAs));
  const values = distinct(hasRowOrder ? properties : element.columns).filter(({ stagedAs }) => !names.has(stagedAs));
  return { name: plan.activityName, table: plan.table, arePairs: false, deciding, values };
}

interface NamedTable {
  readonly name: string;
  readonly table: string;
}

/** A table of master data, of which every column decides. */
export function comparedMasterData({ name, table }: NamedTable, columns: readonly StagedColumn[]): ComparedRows {
  return { name, table, arePairs: false, deciding: columns, values: [] };
}

/** A table of pairs of keys. */
export function comparedPairs({ name, table }: NamedTable, columns: readonly StagedColumn[]): ComparedRows {
  return { name, table, arePairs: true, deciding: columns, values: [] };
}

function distinct(columns: readonly StagedColumn[]): readonly StagedColumn[] {
  return [...new Map(columns.map((column) => [column.stagedAs, column])).values()];
}

/** Types whose equal values are identical. Intervals are an exception: 1 month equals 30 days. */
const exactTypes =
  /^(BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT|INTEGER|UINTEGER|VARCHAR|DATE|TIME|TIMESTAMP(_S|_MS|_NS)?|UUID|BLOB|DECIMAL\(\d+, ?\d+\)|DOUBLE|FLOAT)$/;

/** The first column whose values cannot be compared exactly. */
export function inexactColumn({ deciding, values }: ComparedRows): StagedColumn | undefined {
  return [...deciding, ...values].find(({ stagedType }) => !exactTypes.test(stagedType.toUpperCase()));
}

/**
 * The table of changed rows: `row`, `is_new` (no cached row is the same one), `decides` (a deciding column has changed,
 * or the sign of a zero), their new values, and which of these have changed.
 */
export function changedTable(table: string): string {
  return `changed_${table}`;
}

/** The column of `changed_…` that tells whether a value has changed. */
function hasChanged({ stagedAs }: StagedColumn): string {
  return `${stagedAs}_changed`;
}

/** Creates the table of changed rows, empty. */
export function createChangedSql({ table, values }: ComparedRows): string {
  const columns = values.flatMap((each) => [each.stagedAs, `false AS ${hasChanged(each)}`]);
  return `CREATE TEMP TABLE ${changedTable(table)} AS SELECT ${['rowid AS "row"', 'false AS is_new', 'false AS decides', ...columns].join(', ')} FROM ${quoteIdentifier(table)} LIMIT 0`;
}

/**
 * Adds the changed rows of a range. A join finds them, so the order of reading does not matter.
 * @param cached the SQL name of the table of the previous import
 * @param key the columns that identify a row; without them, its place does
 * @param range without it, the statement for a plan
 */
export function findChangedSql(
  { table, deciding, values }: ComparedRows,
  cached: string,
  { key, range }: { readonly key?: readonly string[] | undefined; readonly range?: RowsBetween },
): string {
  const inRange = range ? rangeSql('rowid', range).join('') : ` AND rowid >= ${runValue} AND rowid < ${runValue}`;
  const names = [...deciding, ...values].map(({ stagedAs }) => stagedAs);
  const rows = (from: string, where: string): string =>
    `(SELECT ${['rowid AS "row"', ...names].join(', ')} FROM ${from} WHERE true${where})`;
  const texts = new Set([...deciding, ...values].flatMap((each) => (isText(each) ? [each.stagedAs] : [])));
  const isSame = (key ?? ['"row"'])
    .map((column) => ['cached', 'fresh'].map((of) => exact(`${of}.${column}`, texts.has(column))).join(' = '))
    .join(' AND ');
  const isNew = 'cached."row" IS NULL';
  const decides = [...deciding.map(differs), ...values.filter(isFloat).map(differsInSign)];
  const columns = [
    'fresh."row"',
    `${isNew} AS is_new`,
    `coalesce(${decides.join(' OR ')}, false) AS decides`,
    ...values.flatMap((each) => [`fresh.${each.stagedAs}`, `(${differs(each)}) AS ${hasChanged(each)}`]),
  ];
  return `INSERT INTO ${changedTable(table)} SELECT ${columns.join(', ')}
    FROM ${rows(quoteIdentifier(table), inRange)} AS fresh LEFT JOIN ${rows(cached, key ? '' : inRange)} AS cached ON ${isSame}
    WHERE ${[isNew, ...deciding.map(differs), ...values.map(differs)].join(' OR ')}`;
}

/**
 * The rows found so far: new ones (`added`) and the first of them, changed ones (`changed`), those of them that decide
 * (`deciding`), and the changed values of each column.
 */
export function countChangedSql({ table, values }: ComparedRows): string {
  const counts = [
    'count(*) FILTER (WHERE is_new) AS added',
    'min("row") FILTER (WHERE is_new) AS first_added',
    'count(*) FILTER (WHERE NOT is_new) AS changed',
    'count(*) FILTER (WHERE decides AND NOT is_new) AS deciding',
    ...values.map((each) => `count(*) FILTER (WHERE ${hasChanged(each)} AND NOT is_new) AS ${hasChanged(each)}`),
  ];
  return `SELECT ${counts.join(', ')} FROM ${changedTable(table)}`;
}

/** The table of new rows, in its column `row`. */
export function addedTable(table: string): string {
  return `added_${table}`;
}

/** Moves new rows from the table of changed ones to their own. */
export function separateAddedSql({ table }: ComparedRows): readonly string[] {
  const changed = changedTable(table);
  return [
    `CREATE TEMP TABLE ${addedTable(table)} AS SELECT "row" FROM ${changed} WHERE is_new`,
    `DELETE FROM ${changed} WHERE is_new`,
  ];
}

/** Creates the table of new rows of a table that has none. */
export function createNoneAddedSql(table: string): string {
  return `CREATE TEMP TABLE ${addedTable(table)} ("row" BIGINT)`;
}

/** Result of the comparison of a table. */
export interface FoundChanges {
  /** Rows that no cached one is the same as. */
  readonly added: number;
  /** The place of the first of them; 0 without any. */
  readonly firstAdded: number;
  /** Changed rows. */
  readonly changed: number;
  /**
   * Of these: rows with changed keys, times or other columns that decide which entities and events there are, and those
   * in which the sign of a zero has changed, which an UPDATE does not write.
   */
  readonly deciding: number;
  /** Staged names of the columns of values that have changed in some row. */
  readonly columns: ReadonlySet<string>;
}

/** The result without anything compared. */
export const noChanges: FoundChanges = { added: 0, firstAdded: 0, changed: 0, deciding: 0, columns: new Set() };

/** @param row of `countChangedSql`. Throws if it lacks a count. */
export function foundChanges(
  { values }: ComparedRows,
  row: Readonly<Record<string, unknown>> | undefined,
): FoundChanges {
  const of = (name: string): number => countIn(row, name);
  const columns = values.filter((each) => of(hasChanged(each)) > 0).map(({ stagedAs }) => stagedAs);
  const added = of('added');
  return {
    added,
    firstAdded: added > 0 ? of('first_added') : 0,
    changed: of('changed'),
    deciding: of('deciding'),
    columns: new Set(columns),
  };
}

function differs(column: StagedColumn): string {
  const isOther = ['fresh', 'cached']
    .map((of) => exact(`${of}.${column.stagedAs}`, isText(column)))
    .join(' IS DISTINCT FROM ');
  return isFloat(column) ? `${isOther} OR coalesce(${differsInSign(column)}, false)` : isOther;
}

/** SQL that tells 0 from -0. They are equal, so an UPDATE would not replace one by the other. */
function differsInSign({ stagedAs }: StagedColumn): string {
  const [fresh, cached] = [`fresh.${stagedAs}`, `cached.${stagedAs}`];
  return `(${fresh} = ${cached} AND signbit(${fresh}) <> signbit(${cached}))`;
}

/** Expressions that are equal only for identical values. */
export function exactColumns(column: StagedColumn): readonly string[] {
  const { stagedAs } = column;
  return isFloat(column) ? [stagedAs, `signbit(${stagedAs})`] : [exact(stagedAs, isText(column))];
}

/** Compares texts as bytes: custom SQL may give a column a collation by which different texts are equal. */
function exact(value: string, ofText: boolean): string {
  return ofText ? `encode(${value})` : value;
}

function isText({ stagedType }: StagedColumn): boolean {
  return /^VARCHAR$/i.test(stagedType);
}

function isFloat({ stagedType }: StagedColumn): boolean {
  return /^(DOUBLE|FLOAT)$/i.test(stagedType);
}

/** Rows compared in one statement: more would exceed the memory limit. */
const rowsAtOnce = 1_000_000;
/** Rows compared in the first statement: in a source without order, most rows differ. */
const rowsAtFirst = 10_000;

/** Ranges of rows to compare. @param ranges the ranges that may have changed; without them, all rows are compared */
export function comparedRanges(
  rows: number,
  ranges: readonly RowsBetween[] = [{ from: 0, until: rows }],
): readonly RowsBetween[] {
  const [first, ...others] = ranges;
  if (!first) return [];
  const middle = Math.min(first.until, first.from + rowsAtFirst);
  const all = [{ from: first.from, until: middle }, { from: middle, until: first.until }, ...others];
  return all.flatMap(({ from, until }) =>
    Array.from({ length: Math.ceil((until - from) / rowsAtOnce) }, (_, index) => ({
      from: from + index * rowsAtOnce,
      until: Math.min(until, from + (index + 1) * rowsAtOnce),
    })),
  );
}
