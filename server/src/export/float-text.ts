import type { ElementProperty } from './element-tables.ts';

/** SQL of the text of a number, with the format's words for NaN and infinity. */
export function floatText(
  column: string,
  { storedType }: ElementProperty,
  { infinity }: { readonly infinity: string },
): string {
  if (!/^(DOUBLE|FLOAT)/.test(storedType)) return column;
  return `CASE WHEN isnan(${column}) THEN 'NaN' WHEN isinf(${column}) THEN CASE WHEN ${column} < 0 THEN '-' ELSE '' END || '${infinity}'
    ELSE CAST(${column} AS VARCHAR) END`;
}
