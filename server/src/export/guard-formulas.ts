import { formulaPattern, guardedText, plainNumberPattern } from '../../../protocol/formula-guard.ts';
import type { StoreReader } from '../store/duckdb-store.ts';
import { quoteIdentifier, embeddedLiteral } from '../query/quote.ts';

/** A query of all columns of a table in which no text, and no column name, is a formula to a spreadsheet. */
export async function guardedColumns(store: StoreReader, table: string): Promise<string> {
  const columns = await store.describe(`SELECT * FROM ${quoteIdentifier(table)}`);
  return columns.map(({ name, type }) => guardedColumn(name, type)).join(', ');
}

function guardedColumn(name: string, type: string): string {
  const column = quoteIdentifier(name);
  const text = isHarmless(type) ? column : guardedSql(`CAST(${column} AS VARCHAR)`);
  return `${text} AS ${quoteIdentifier(guardedText(name))}`;
}

function guardedSql(text: string): string {
  const isFormula = `regexp_matches(${text}, ${embeddedLiteral(formulaPattern)})`;
  const isNumber = `regexp_matches(${text}, ${embeddedLiteral(plainNumberPattern)})`;
  return `CASE WHEN ${isFormula} AND NOT ${isNumber} THEN '''' || ${text} ELSE ${text} END`;
}

/** Types without possible formulas: numbers, times, and nested values printed in brackets or braces. */
function isHarmless(type: string): boolean {
  return (
    /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DECIMAL|DOUBLE|FLOAT|BOOLEAN|DATE|TIME|TIMESTAMP|UUID)\b/.test(type) ||
    /\]$|^(?:STRUCT|MAP)\b/.test(type)
  );
}
