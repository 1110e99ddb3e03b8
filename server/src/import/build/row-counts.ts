import type { StagedColumn } from '../../connectors/connector.ts';
import { timesOfElement } from './phases.ts';
import { rowsTable } from './rows.ts';
import type { StagedElement } from './staged-element.ts';
import { type TimePlace, isInfinite, isNoTime } from './utc-time.ts';

/** Counts of an element's staged rows; read from the single row of `rowCountsSql`. */
export interface RowCounts {
  readonly withoutKey: number;
  /** Rows with an empty text in their key. */
  readonly withEmptyKey: number;
  /** Rows with a key. */
  readonly withoutStart: number;
  readonly changeBeforeStart: number;
  readonly endBeforeStart: number;
  readonly infinite: number;
  readonly withoutActivity: number;
}

/** Whether a key may have empty texts. */
export function hasTexts(key: readonly StagedColumn[]): boolean {
  return key.some(({ sense }) => sense === 'text');
}

/** SQL that is true for a key with an empty text; in the JSON of several parts no text has quotes like these. */
export function hasEmptyPart({ length }: readonly StagedColumn[]): string {
  if (length === 1) return "key = ''";
  return `key LIKE '["",%' OR key LIKE '%,"",%' OR key LIKE '%,""]'`;
}

export function rowCountsSql(element: StagedElement, place: TimePlace): string {
  const { change, end, activity, plan } = element;
  const infinite = timesOfElement(element)
    .map(({ time }) => `CASE WHEN ${isInfinite(time, place)} THEN 1 ELSE 0 END`)
    .join(' + ');
  const { build, identifiers } = place.dialect;
  const name = (count: keyof RowCounts): string => identifiers.quote(count);
  const counts = [
    `${build.countIf('key IS NULL')} AS ${name('withoutKey')}`,
    `${hasTexts(element.key) ? build.countIf(hasEmptyPart(element.key)) : '0'} AS ${name('withEmptyKey')}`,
    `${build.countIf('key IS NOT NULL AND start IS NULL')} AS ${name('withoutStart')}`,
    `${change ? build.countIf('key IS NOT NULL AND change < start') : '0'} AS ${name('changeBeforeStart')}`,
    `${end ? build.countIf('key IS NOT NULL AND ended < start') : '0'} AS ${name('endBeforeStart')}`,
    `${activity ? build.countIf('key IS NOT NULL AND start IS NOT NULL AND activity IS NULL') : '0'} AS ${name('withoutActivity')}`,
    `(SELECT coalesce(sum(${infinite}), 0) FROM ${identifiers.quote(plan.table)}) AS infinite`,
  ];
  return `SELECT\n      ${counts.join(',\n      ')}\n    FROM ${rowsTable(element)}`;
}

/**
 * SQL of the first row whose text in a column is not a time: `row` (1-based) and `value`. Undefined if
 * impossible by type.
 */
export function noTimeSql(
  { plan }: { readonly plan: { readonly table: string } },
  column: StagedColumn | undefined,
  place: TimePlace,
): string | undefined {
  if (column?.sense !== 'text') return undefined;
  const { identifiers } = place.dialect;
  return `SELECT rowid + 1 AS ${identifiers.quote('row')}, ${column.stagedAs} AS value FROM ${identifiers.quote(plan.table)}
    WHERE ${isNoTime(column, place)} ORDER BY rowid LIMIT 1`;
}
