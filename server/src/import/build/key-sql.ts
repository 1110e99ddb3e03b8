import type { StagedColumn } from '../../connectors/connector.ts';
import { type TimePlace, utcTime } from './utc-time.ts';

/** SQL of an entity's key (docs/semantics.md#43-the-text-of-a-key): NULL when a part is NULL. */
export function keySql(parts: readonly StagedColumn[], place: TimePlace): string {
  const texts = parts.map((part) => stagedText(part, place));
  const [only, ...others] = texts;
  if (only !== undefined && others.length === 0) return only;
  const isWhole = parts.map(({ stagedAs }) => `${stagedAs} IS NOT NULL`).join(' AND ');
  return `CASE WHEN ${isWhole} THEN ${place.dialect.canonical.key(texts)} END`;
}

/** SQL of the canonical text of a staged value, with times without zone in its zone. */
export function stagedText(column: StagedColumn, place: TimePlace): string {
  const expression = column.sense === 'timestamp' ? finiteTime(column, place) : column.stagedAs;
  return place.dialect.canonical.value(`(${expression})`, column.stagedType, column.sense);
}

/** Infinity is not an event time, but a valid key part. */
function finiteTime(column: StagedColumn, place: TimePlace): string {
  return `coalesce(${utcTime(column, place)}, ${column.stagedAs})`;
}
