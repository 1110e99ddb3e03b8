import type { ColumnSense, SqlDialect } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';

/**
 * SQL of the canonical text of a value, equal in all engines, as required by keys
 * (docs/semantics.md#45-canonical-text): numbers without exponents and trailing zeros, times as ISO 8601 in UTC with
 * microseconds, texts unchanged.
 * @param expression SQL of the value, evaluated several times. A timestamp without zone must already be in UTC.
 * @param type type name of the dialect, such as `numeric(10,2)` or `DECIMAL(10,2)`.
 * @param sense needed only for a number staged as text because no numeric type can hold it.
 */
export function canonicalText(expression: string, type: string, dialect: SqlDialect, sense?: ColumnSense): string {
  return dialectNamed(dialect).canonical.value(`(${expression})`, type, sense);
}
