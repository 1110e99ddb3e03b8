import { resolve } from 'node:path';
import { defaultPreviewRows } from '../../../../protocol/preview-limits.ts';
import {
  type CheckedQuery,
  checkNamedQueries,
  runGraphSql,
  runNamedQuery,
} from '../../operations/stored-graphs/named-queries.ts';
import { type Command, type ExitCode, type Invocation, UsageError, countOption, exitCodes } from '../command.ts';
import { paint, styled } from '../styled-text.ts';
import { printRows } from '../print-rows.ts';

export const queryCommand: Command = {
  name: 'query',
  operands: 'FILE [NAME]',
  summary:
    'Run a query of the folder queries beside FILE, or --sql, on the imported graph; without either, check and list all',
  arity: { min: 1, max: 2 },
  options: [
    { name: 'sql', value: 'SQL', help: 'Run this SQL instead; it is read-only and sees nothing but the graph' },
    { name: 'limit', value: 'N', help: `Rows at most (default ${defaultPreviewRows})` },
    { name: 'format', value: 'FORMAT', help: 'How to print the result', choices: ['text', 'json'] },
  ],
  examples: [
    'entity-graph query orders.entity.yaml',
    'entity-graph query orders.entity.yaml late-orders --limit 20',
    'entity-graph query orders.entity.yaml --sql "SELECT activity, count(*) FROM event GROUP BY ALL"',
  ],
  async run(invocation) {
    const { operands, options, projectContext, signal } = invocation;
    const [file = '', name] = operands;
    const { sql } = options;
    if (name !== undefined && sql !== undefined) throw new UsageError('NAME and --sql are two queries: leave one out.');
    if (name === undefined && sql === undefined) {
      return listed(await checkNamedQueries(resolve(file), projectContext, { signal }), invocation);
    }
    const limit = countOption(invocation, 'limit') ?? defaultPreviewRows;
    const result =
      sql === undefined
        ? await runNamedQuery(resolve(file), name ?? '', limit, projectContext, { signal })
        : await runGraphSql(resolve(file), sql, limit, projectContext, { signal });
    printRows(result, invocation);
    return exitCodes.fine;
  },
};

function listed(queries: readonly CheckedQuery[], { terminal, format }: Invocation): ExitCode {
  if (format === 'json') terminal.document(JSON.stringify(queries, null, 2));
  else {
    for (const { name, description, columns = [], error } of queries) {
      terminal.result(styled`${error === undefined ? paint.green('ok    ') : paint.red('BROKEN')}  ${name}`);
      if (description !== undefined) terminal.result(`        ${description}`);
      terminal.result(`        ${error ?? columns.map((column) => column.name).join(', ')}`);
    }
    if (queries.length === 0)
      terminal.note('There are no queries: write SELECT … into queries/NAME.sql beside the file.');
  }
  return queries.some(({ error }) => error !== undefined) ? exitCodes.problems : exitCodes.fine;
}
