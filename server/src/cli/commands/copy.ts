import { resolve } from 'node:path';
import { copyGraph } from '../../operations/graph-files/copy-graph.ts';
import { type Command, formatOption } from '../command.ts';
import { printOutcomes } from '../print-outcomes.ts';

export const copyCommand: Command = {
  name: 'copy',
  operands: 'FILE NEW',
  summary: 'Make a new entity graph that differs in its name only',
  arity: { min: 2, max: 2 },
  options: [formatOption],
  examples: ['entity-graph copy incidents.entity.yaml changes.entity.yaml'],
  async run(invocation) {
    const [from = '', to = ''] = invocation.operands;
    return printOutcomes([await copyGraph(resolve(from), resolve(to), invocation.projectContext)], invocation);
  },
};
