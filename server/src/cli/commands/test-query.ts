import { resolve } from 'node:path';
import { defaultPreviewRows } from '../../../../protocol/preview-limits.ts';
import type { TestQueryResult } from '../../../../protocol/query-results.ts';
import { testQuery } from '../../operations/queries/query-operations.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { type Command, countOption, exitCodes } from '../command.ts';
import { type Line, paint, styled } from '../styled-text.ts';
import { textTable } from '../text-table.ts';
import { readTarget, targetOptions } from './query-target.ts';

export const testQueryCommand: Command = {
  name: 'test-query',
  operands: 'FILE',
  summary: 'Run the query of an element or a relationship and print its first rows',
  arity: { min: 1, max: 1 },
  options: [
    ...targetOptions,
    { name: 'limit', value: 'N', help: `Rows at most (default ${defaultPreviewRows})` },
    { name: 'format', value: 'FORMAT', help: 'How to print the result', choices: ['text', 'json'] },
  ],
  examples: ['entity-graph test-query shop.entity.yaml --element "Place Order" --limit 20'],
  async run(invocation) {
    const { terminal, projectContext, signal } = invocation;
    const target = readTarget(invocation);
    const limit = countOption(invocation, 'limit');
    const file = await readGraphFile(resolve(invocation.operands[0] ?? ''), projectContext);
    const result = await testQuery(file, target, projectContext, { signal, limit });
    if (invocation.format === 'json') {
      // Cell marks are for interactive grids; the output for scripts is fixed.
      const { marks: _, ...printed } = result;
      terminal.document(JSON.stringify(printed, null, 2));
      return exitCodes.fine;
    }
    for (const line of gridLines(result)) terminal.result(line);
    for (const warning of result.warnings) terminal.note(styled`${paint.yellow('warning')}: ${warning}`);
    terminal.note(paint.dim(summaryLine(result)));
    return exitCodes.fine;
  },
};

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
