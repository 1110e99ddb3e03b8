import { resolve } from 'node:path';
import { importConfigurations } from '../../operations/configurations.ts';
import { type Command, formatOption } from '../command.ts';
import { printOutcomes } from '../print-outcomes.ts';

export const importConfigCommand: Command = {
  name: 'import-config',
  operands: 'FILE…',
  summary: 'Take configurations over as entity graphs; nothing is overwritten',
  arity: { min: 1, max: Infinity },
  options: [{ name: 'into', value: 'DIR', help: 'The folder to write into (default: the current one)' }, formatOption],
  examples: ['entity-graph import-config exported/*.json --into graphs'],
  async run(invocation) {
    const { operands, options, surroundings } = invocation;
    const folder = resolve(options['into'] ?? '.');
    const files = operands.map((operand) => resolve(operand));
    return printOutcomes(await importConfigurations(files, folder, surroundings), invocation);
  },
};
