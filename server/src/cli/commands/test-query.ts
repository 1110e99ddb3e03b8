import { resolve } from 'node:path';
import { defaultPreviewRows } from '../../../../protocol/preview-limits.ts';
import { testQuery } from '../../operations/queries/query-operations.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { type Command, countOption, exitCodes } from '../command.ts';
import { printRows } from '../print-rows.ts';
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
    const { projectContext, signal } = invocation;
    const target = readTarget(invocation);
    const limit = countOption(invocation, 'limit');
    const file = await readGraphFile(resolve(invocation.operands[0] ?? ''), projectContext);
    const result = await testQuery(file, target, projectContext, { signal, limit });
    printRows(result, invocation);
    return exitCodes.fine;
  },
};
