import type { TestQueryResult } from '../../../protocol/query-results.ts';
import type { Invocation } from './command.ts';
import { type Line, paint, styled } from './styled-text.ts';
import { textTable } from './text-table.ts';

/** Prints the first rows of a query. */
export function printRows(
  result: TestQueryResult,
  { terminal, format }: Pick<Invocation, 'terminal' | 'format'>,
): void {
  if (format === 'json') {
    // Cell marks are for interactive grids; the output for scripts is fixed.
    const { marks: _, ...printed } = result;
    terminal.document(JSON.stringify(printed, null, 2));
    return;
  }
  for (const line of gridLines(result)) terminal.result(line);
  for (const warning of result.warnings) terminal.note(styled`${paint.yellow('warning')}: ${warning}`);
  terminal.note(paint.dim(summaryLine(result)));
}

const widestCell = 40;

function gridLines(result: TestQueryResult): readonly Line[] {
  const [header, ...lines] = textTable(
    result.columns.map((column) => column.name),
    result.rows.map((row) => row.map(cellText)),
  );
  return [paint.bold(header ?? ''), ...lines];
}

function cellText(value: string | number | boolean | null): string {
  if (value === null) return 'NULL';
  const text = String(value);
  return text.length > widestCell ? `${text.slice(0, widestCell - 1)}…` : text;
}

function moreRows({ sizeLimit }: TestQueryResult): string {
  if (sizeLimit === undefined) return 'there are more';
  return `there are more: rows are left out where values take more than ${Math.round(sizeLimit / 2 ** 20)} MB`;
}

function summaryLine(result: TestQueryResult): string {
  const more = result.truncated ? ` (${moreRows(result)})` : '';
  const nulls = result.columns
    .filter((column) => column.nulls > 0)
    .map((column) => `${column.name} ${column.nulls} nulls`);
  return [`${result.rows.length} rows${more}`, `${Math.round(result.durationMs)} ms`, ...nulls].join(' · ');
}
