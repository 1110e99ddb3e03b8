import { resolve } from 'node:path';
import { resetGraph } from '../../operations/graph-files/reset-graph.ts';
import { type Command, formatOption } from '../command.ts';
import { printOutcomes } from '../print-outcomes.ts';

export const resetCommand: Command = {
  name: 'reset',
  operands: 'FILE',
  summary: 'Put an entity graph back to the text of its last successful import',
  arity: { min: 1, max: 1 },
  options: [formatOption],
  examples: ['entity-graph reset incidents.entity.yaml'],
  async run(invocation) {
    const file = resolve(invocation.operands[0] ?? '');
    return printOutcomes([await resetGraph(file, invocation.projectContext)], invocation);
  },
};
