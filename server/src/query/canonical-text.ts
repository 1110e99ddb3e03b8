import type { ColumnSense, SqlDialect } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';

/**
 * An SQL expression that gives the one text form of a value, equal in all engines, as keys need it (docs/semantics.md#45-canonical-text):
 * numbers plain and without trailing zeros, times as ISO 8601 in UTC with microseconds, text as it is.
 *
 * @param expression SQL of the value, evaluated several times. A timestamp without zone must already be in UTC.
 * @param type the dialect's own name of its type, such as `numeric(10,2)` or `DECIMAL(10,2)`.
 * @param sense needed only where a number is staged as text because no numeric type can hold it.
 */
export function canonicalText(expression: string, type: string, dialect: SqlDialect, sense?: ColumnSense): string {
  return dialectNamed(dialect).canonical.value(`(${expression})`, type, sense);
}
