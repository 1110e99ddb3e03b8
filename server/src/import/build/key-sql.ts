import type { StagedColumn } from '../../connectors/connector.ts';
import { canonicalText, keyText } from '../../query/canonical-text.ts';
import { utcTime } from './utc-time.ts';

/** SQL of an entity's key (design rule 1): NULL when any of its parts is. */
export function keySql(parts: readonly StagedColumn[], timeZone: string): string {
  const text = keyText(
    parts.map((part) => stagedText(part, timeZone)),
    'duckdb',
  );
  if (parts.length === 1) return text;
  return `CASE WHEN ${parts.map(({ stagedAs }) => `${stagedAs} IS NOT NULL`).join(' AND ')} THEN ${text} END`;
}

/** SQL of the canonical text of a staged value, times without zone read in `timeZone`. */
export function stagedText(column: StagedColumn, timeZone: string): string {
  const expression = column.sense === 'timestamp' ? finiteTime(column, timeZone) : column.stagedAs;
  return canonicalText(expression, column.stagedType, 'duckdb', column.sense);
}

/** Infinity, which is no time of an event, is as good a part of a key as any. */
function finiteTime(column: StagedColumn, timeZone: string): string {
  return `coalesce(${utcTime(column, timeZone)}, ${column.stagedAs})`;
}
