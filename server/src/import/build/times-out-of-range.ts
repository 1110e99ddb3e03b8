import type { StagedColumn } from '../../connectors/connector.ts';
import { type TimePlace, isInUtc, placeOfColumn } from './utc-time.ts';

/** Staged rows of an element or an entry of `entities`. */
export interface RowsWithTimes {
  readonly plan: { readonly table: string };
  readonly columns: readonly StagedColumn[];
  readonly start?: StagedColumn | undefined;
  readonly change?: StagedColumn;
  readonly end?: StagedColumn;
  readonly sequence?: StagedColumn;
}

/** Columns whose values are converted to UTC. The conversion fails close to the limits of the engine. */
function convertedColumns(
  { columns, start, change, end, sequence }: RowsWithTimes,
  place: TimePlace,
): readonly StagedColumn[] {
  const dates = new Set(
    [start, change, end, sequence].flatMap((role) => (role?.sense === 'date' ? [role.stagedAs] : [])),
  );
  // A role may be a copy of its column.
  const roles = columns.filter(({ stagedAs }) => dates.has(stagedAs));
  const naive = columns.filter(
    (column) => column.sense === 'timestamp' && column.zoned !== true && !isInUtc(placeOfColumn(column, place)),
  );
  return [...roles, ...naive];
}

/**
 * SQL of the first row with a time too close to the limits of the engine for zone conversion: `row` (1-based),
 * `place` of the column in the rows, and `value`. Undefined without conversion.
 */
export function timeOutOfRangeSql(rows: RowsWithTimes, place: TimePlace): string | undefined {
  const columns = convertedColumns(rows, place);
  if (columns.length === 0) return undefined;
  const tests = columns.map((column) => ({ column, isFar: isFar(column, place) }));
  const places = tests.map(({ column, isFar: test }) => `WHEN ${test} THEN ${rows.columns.indexOf(column)}`);
  const values = tests.map(({ column, isFar: test }) => `WHEN ${test} THEN CAST(${column.stagedAs} AS VARCHAR)`);
  const { identifiers } = place.dialect;
  return `SELECT rowid + 1 AS ${identifiers.quote('row')}, CASE ${places.join(' ')} END AS place, CASE ${values.join(' ')} END AS value
    FROM ${identifiers.quote(rows.plan.table)} WHERE ${tests.map(({ isFar: test }) => test).join(' OR ')} ORDER BY rowid LIMIT 1`;
}

function isFar({ stagedAs, sense }: StagedColumn, { dialect }: TimePlace): string {
  const { times, literals } = dialect;
  const [first, last] = times.movable.map((end) => `${sense === 'date' ? 'DATE' : 'TIMESTAMP'} ${literals.quote(end)}`);
  return `(${times.isFinite(stagedAs)} AND ${stagedAs} NOT BETWEEN ${first} AND ${last})`;
}
