import { resolve } from 'node:path';
import { exportConfiguration } from '../../operations/graph-files/export-configuration.ts';
import { type Command, formatOption, requiredOption } from '../command.ts';
import { printOutcomes } from '../print-outcomes.ts';

export const exportConfigCommand: Command = {
  name: 'export-config',
  operands: 'FILE',
  summary: 'Write an entity graph as JSON or YAML',
  arity: { min: 1, max: 1 },
  options: [
    { name: 'as', value: 'FORM', help: 'json, or yaml with its comments', choices: ['json', 'yaml'] },
    { name: 'output', value: 'PATH', help: 'The file to write' },
    formatOption,
  ],
  examples: ['entity-graph export-config incidents.entity.yaml --as json --output incidents.json'],
  async run(invocation) {
    const as = requiredOption(invocation, 'as') === 'json' ? 'json' : 'yaml';
    const output = resolve(requiredOption(invocation, 'output'));
    const file = resolve(invocation.operands[0] ?? '');
    return printOutcomes([await exportConfiguration(file, output, as, invocation.projectContext)], invocation);
  },
};
