import type { Column } from '../../catalog/catalog.ts';
import { quoteLiteral } from '../../query/quote.ts';
import type { WrittenValue } from './given-rows.ts';

/**
 * A written value as SQL of the type of its column. A time without offset is in the time zone of the source, and so is
 * the time that a column without zone gets of one with an offset.
 */
export function givenCellSql({ kind, text }: WrittenValue, { type, sense }: Column, timeZone: string): string {
  if (kind === 'null') return 'NULL';
  const literal = quote(text);
  switch (sense) {
    case 'timestamp': {
      const isZoned = /^(?:TIMESTAMP WITH TIME ZONE|TIMESTAMPTZ)$/i.test(type);
      const hasOffset = /[T ].*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(text);
      const time = `CAST(${literal} AS ${hasOffset ? 'TIMESTAMPTZ' : 'TIMESTAMP'})`;
      const value = isZoned === hasOffset ? time : `timezone(${quote(timeZone)}, ${time})`;
      return `CAST(${value} AS ${type})`;
    }
    case 'json':
      return `CAST(CAST(${quote(kind === 'json' || isJson(text) ? text : JSON.stringify(text))} AS JSON) AS ${type})`;
    default:
      return `CAST(${literal} AS ${type})`;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function quote(text: string): string {
  return quoteLiteral(text, 'duckdb');
}
