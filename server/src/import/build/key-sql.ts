import type { StagedColumn } from '../../connectors/connector.ts';
import { canonicalText, keyText } from '../../query/canonical-text.ts';
import { type TimePlace, utcTime } from './utc-time.ts';

/** SQL of an entity's key (docs/semantics.md#43-the-text-of-a-key): NULL when any of its parts is. */
export function keySql(parts: readonly StagedColumn[], place: TimePlace): string {
  const text = keyText(
    parts.map((part) => stagedText(part, place)),
    place.dialect.name,
  );
  if (parts.length === 1) return text;
  return `CASE WHEN ${parts.map(({ stagedAs }) => `${stagedAs} IS NOT NULL`).join(' AND ')} THEN ${text} END`;
}

/** SQL of the canonical text of a staged value, times without zone read in its zone. */
export function stagedText(column: StagedColumn, place: TimePlace): string {
  const expression = column.sense === 'timestamp' ? finiteTime(column, place) : column.stagedAs;
  return canonicalText(expression, column.stagedType, place.dialect.name, column.sense);
}

/** Infinity, which is no time of an event, is as good a part of a key as any. */
function finiteTime(column: StagedColumn, place: TimePlace): string {
  return `coalesce(${utcTime(column, place)}, ${column.stagedAs})`;
}
