import { resolve } from 'node:path';
import { showQuery } from '../../operations/queries/query-operations.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { type Command, exitCodes, formatOption } from '../command.ts';
import { paint } from '../styled-text.ts';
import { readTarget, targetOptions } from './query-target.ts';

export const showQueryCommand: Command = {
  name: 'show-query',
  operands: 'FILE',
  summary: 'Print the exact query of an element or a relationship',
  arity: { min: 1, max: 1 },
  options: [...targetOptions, formatOption],
  examples: [
    'entity-graph show-query shop.entity.yaml --element "Place Order"',
    'entity-graph show-query shop.entity.yaml --relationship "Place Order -> Register Customer"',
  ],
  async run(invocation) {
    const { terminal, projectContext, signal } = invocation;
    const target = readTarget(invocation);
    const file = await readGraphFile(resolve(invocation.operands[0] ?? ''), projectContext);
    const { steps } = await showQuery(file, target, projectContext, { signal });
    if (invocation.format === 'json') terminal.document(JSON.stringify({ steps }, null, 2));
    else {
      for (const { title, text } of steps) {
        terminal.result(paint.dim(`-- ${title}`));
        terminal.document(`${text}\n`);
      }
    }
    return exitCodes.fine;
  },
};
