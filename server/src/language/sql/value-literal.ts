import type { Column, SqlDialect } from '../../catalog/catalog.ts';
import { quoteLiteral } from '../../query/quote.ts';

/** A column value as SQL: numbers and booleans unquoted, others quoted. */
export function valueLiteral({ sense }: Pick<Column, 'sense'>, value: string, dialect: SqlDialect): string {
  const isBare =
    sense === 'boolean' ? /^(true|false)$/i.test(value) : isNumeric(sense) && /^-?\d+(\.\d+)?$/.test(value);
  return isBare ? value : quoteLiteral(value, dialect);
}

function isNumeric(sense: Column['sense']): boolean {
  return sense === 'integer' || sense === 'number';
}
