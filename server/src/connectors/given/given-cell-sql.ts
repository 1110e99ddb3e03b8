import type { Column } from '../../catalog/catalog.ts';
import type { WrittenValue } from '../../catalog/written-value.ts';
import { hasOffset, jsonOf } from '../../dialects/standard/written-value.ts';
import { quoteLiteral } from '../../query/quote.ts';

/**
 * A written value as SQL of the type of its column. A time without offset is in the time zone of the source, and so is
 * the time that a column without zone gets of one with an offset.
 */
export function givenCellSql(value: WrittenValue, { type, sense }: Column, timeZone: string): string {
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
  return quoteLiteral(text, 'duckdb');
}
