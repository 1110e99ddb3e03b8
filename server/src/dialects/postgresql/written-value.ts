import type { Column } from '../../catalog/catalog.ts';
import type { WrittenValue } from '../../catalog/written-value.ts';
import { hasOffset, jsonOf } from '../standard/written-value.ts';
import { quotePostgresqlLiteral as quote } from './quote-literal.ts';

/** The session reads times without offset in the time zone of the source. */
export function postgresqlWrittenValue(
  { kind, text }: WrittenValue,
  { type, sense }: Pick<Column, 'type' | 'sense'>,
  timeZone: string,
): string {
  if (kind === 'null') return `CAST(NULL AS ${type})`;
  if (kind === 'json' && type.endsWith('[]')) {
    return `CAST(ARRAY(SELECT jsonb_array_elements_text(${quote(text)}::jsonb)) AS ${type})`;
  }
  if (sense === 'json' && !type.endsWith('[]')) return `CAST(${quote(jsonOf({ kind, text }))} AS ${type})`;
  // Its offset would be ignored otherwise.
  const isMoved = sense === 'timestamp' && /^timestamp(?!tz)(?!.*with time zone)/i.test(type) && hasOffset(text);
  return isMoved
    ? `CAST(${quote(text)}::timestamptz AT TIME ZONE ${quote(timeZone)} AS ${type})`
    : `CAST(${quote(text)} AS ${type})`;
}
