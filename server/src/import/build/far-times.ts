import type { StagedColumn } from '../../connectors/connector.ts';
import type { StagedElement } from './staged-element.ts';
import { type TimePlace, isInUtc } from './utc-time.ts';

/** Columns of an element whose values are made UTC times on the way: not every one that an engine can hold has one. */
function convertedColumns(
  { columns, start, change, sequence }: StagedElement,
  place: TimePlace,
): readonly StagedColumn[] {
  const roles = [start, change, sequence].filter((column) => column?.sense === 'date');
  const naive = isInUtc(place) ? [] : columns.filter(({ sense, zoned }) => sense === 'timestamp' && zoned !== true);
  return [...new Set([...roles, ...naive])].filter((column) => column !== undefined);
}

/**
 * SQL of the first row with a time too near to the ends of what the engine can hold to be moved between time zones: `row` (1-based),
 * `place` of the column among all of the element, and `value`. Undefined where no time has to be moved.
 */
export function farTimeSql(element: StagedElement, place: TimePlace): string | undefined {
  const columns = convertedColumns(element, place);
  if (columns.length === 0) return undefined;
  const tests = columns.map((column) => ({ column, isFar: isFar(column, place) }));
  const places = tests.map(({ column, isFar: test }) => `WHEN ${test} THEN ${element.columns.indexOf(column)}`);
  const values = tests.map(({ column, isFar: test }) => `WHEN ${test} THEN CAST(${column.stagedAs} AS VARCHAR)`);
  const { build, identifiers } = place.dialect;
  return `SELECT ${build.rowPlace} + 1 AS ${identifiers.quote('row')}, CASE ${places.join(' ')} END AS place, CASE ${values.join(' ')} END AS value
    FROM ${identifiers.quote(element.plan.table)} WHERE ${tests.map(({ isFar: test }) => test).join(' OR ')} ORDER BY ${build.rowPlace} LIMIT 1`;
}

function isFar({ stagedAs, sense }: StagedColumn, { dialect }: TimePlace): string {
  const { times, literals } = dialect;
  const [first, last] = times.movable.map((end) => `${sense === 'date' ? 'DATE' : 'TIMESTAMP'} ${literals.quote(end)}`);
  return `(${times.isFinite(stagedAs)} AND ${stagedAs} NOT BETWEEN ${first} AND ${last})`;
}
