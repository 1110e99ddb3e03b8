import type { StagedColumn } from '../../connectors/connector.ts';
import type { RowsBetween } from '../../connectors/load-result.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { runValue } from '../build/plan-statement.ts';
import { rangeSql } from '../build/row-ranges.ts';
import type { StagedElement } from '../build/staged-element.ts';

/** A staging table whose rows are compared with those of the previous import, row by row. */
export interface ComparedRows {
  /** Description for users. */
  readonly name: string;
  readonly table: string;
  /** Columns that decide which entities and events there are, and their order. */
  readonly deciding: readonly StagedColumn[];
  /** Columns that are only values of properties. */
  readonly values: readonly StagedColumn[];
}

/**
 * The columns of an element. Those that are only expected something of decide nothing, unless rows have no order: then
 * the text of whole rows orders events that are equal otherwise.
 */
export function comparedElement(element: StagedElement, hasRowOrder: boolean): ComparedRows {
  const { plan, key, start, change, sequence, activity, rowOrder, correlations, properties } = element;
  const given = [start, change, sequence, activity, rowOrder].filter((column) => column !== undefined);
  const deciding = distinct([...key, ...given, ...correlations.flatMap((correlation) => correlation.key)]);
  const names = new Set(deciding.map(({ stagedAs }) => stagedAs));
  const values = distinct(hasRowOrder ? properties : element.columns).filter(({ stagedAs }) => !names.has(stagedAs));
  return { name: plan.activityName, table: plan.table, deciding, values };
}

/** A table of which every column decides: of master data, or of pairs of keys. */
export function comparedTable(
  { name, table }: { readonly name: string; readonly table: string },
  columns: readonly StagedColumn[],
): ComparedRows {
  return { name, table, deciding: columns, values: [] };
}

function distinct(columns: readonly StagedColumn[]): readonly StagedColumn[] {
  return [...new Map(columns.map((column) => [column.stagedAs, column])).values()];
}

/** Types of which equal values are the same value. Equal intervals, for one, may differ: 1 month and 30 days. */
const exactTypes =
  /^(BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT|INTEGER|UINTEGER|VARCHAR|DATE|TIME|TIMESTAMP(_S|_MS|_NS)?|UUID|BLOB|DECIMAL\(\d+, ?\d+\)|DOUBLE|FLOAT)$/;

/** The first column whose values cannot be compared exactly. */
export function inexactColumn({ deciding, values }: ComparedRows): StagedColumn | undefined {
  return [...deciding, ...values].find(({ stagedType }) => !exactTypes.test(stagedType.toUpperCase()));
}

/** The table of changed rows: `row`, `decides` (a deciding column has changed, or the sign of a zero) and their new values. */
export function changedTable(table: string): string {
  return `changed_${table}`;
}

/** Creates the table of changed rows, empty. */
export function createChangedSql({ table, values }: ComparedRows): string {
  const columns = ['rowid AS "row"', 'false AS decides', ...values.map(({ stagedAs }) => stagedAs)];
  return `CREATE TEMP TABLE ${changedTable(table)} AS SELECT ${columns.join(', ')} FROM ${quoteIdentifier(table)} LIMIT 0`;
}

/**
 * Adds the changed rows of a range. Rows are joined, so that no order of reading matters.
 * @param kept the SQL name of the table of the previous import
 * @param key the columns that identify a row; without them, its place does
 * @param range without it, the statement for a plan
 */
export function findChangedSql(
  { table, deciding, values }: ComparedRows,
  kept: string,
  { key, range }: { readonly key?: readonly string[] | undefined; readonly range?: RowsBetween },
): string {
  const inRange = range ? rangeSql('rowid', range).join('') : ` AND rowid >= ${runValue} AND rowid < ${runValue}`;
  const names = [...deciding, ...values].map(({ stagedAs }) => stagedAs);
  const rows = (from: string, where: string): string =>
    `(SELECT ${['rowid AS "row"', ...names].join(', ')} FROM ${from} WHERE true${where})`;
  const texts = new Set([...deciding, ...values].flatMap((each) => (isText(each) ? [each.stagedAs] : [])));
  const isSame = (key ?? ['"row"'])
    .map((column) => ['kept', 'fresh'].map((of) => exact(`${of}.${column}`, texts.has(column))).join(' = '))
    .join(' AND ');
  const decides = ['kept."row" IS NULL', ...deciding.map(differs), ...values.filter(isFloat).map(differsInSign)];
  const columns = [
    'fresh."row"',
    `(${decides.join(' OR ')}) AS decides`,
    ...values.map(({ stagedAs }) => `fresh.${stagedAs}`),
  ];
  return `INSERT INTO ${changedTable(table)} SELECT ${columns.join(', ')}
    FROM ${rows(quoteIdentifier(table), inRange)} AS fresh LEFT JOIN ${rows(kept, key ? '' : inRange)} AS kept ON ${isSame}
    WHERE ${['kept."row" IS NULL', ...deciding.map(differs), ...values.map(differs)].join(' OR ')}`;
}

/** The number of changed rows found so far (`changed`), and of those that decide (`deciding`). */
export function countChangedSql({ table }: ComparedRows): string {
  return `SELECT count(*) AS changed, count(*) FILTER (WHERE decides) AS deciding FROM ${changedTable(table)}`;
}

function differs(column: StagedColumn): string {
  const isOther = ['fresh', 'kept']
    .map((of) => exact(`${of}.${column.stagedAs}`, isText(column)))
    .join(' IS DISTINCT FROM ');
  return isFloat(column) ? `${isOther} OR ${differsInSign(column)}` : isOther;
}

/** 0 and -0 are equal, but not the same value. An UPDATE leaves values that are equal as they are. */
function differsInSign({ stagedAs }: StagedColumn): string {
  const [fresh, kept] = [`fresh.${stagedAs}`, `kept.${stagedAs}`];
  return `(${fresh} = ${kept} AND signbit(${fresh}) <> signbit(${kept}))`;
}

/** Texts are compared as bytes: the SQL of a user may give their column a collation, by which other texts are equal. */
function exact(value: string, ofText: boolean): string {
  return ofText ? `encode(${value})` : value;
}

function isText({ stagedType }: StagedColumn): boolean {
  return /^VARCHAR$/i.test(stagedType);
}

function isFloat({ stagedType }: StagedColumn): boolean {
  return /^(DOUBLE|FLOAT)$/i.test(stagedType);
}

/** Rows that are compared at once: more would exceed the memory limit. */
const rowsAtOnce = 1_000_000;
/** Rows that are compared first: of a source without order, most differ. */
const rowsAtFirst = 10_000;

/** Ranges of rows to compare. @param ranges those that may have changed; all of a number of rows without */
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
