import { resolve } from 'node:path';
import type { ExistingFile } from '../../../../protocol/requests/lifecycle-requests.ts';
import { importConfigurations } from '../../operations/graph-files/import-configurations.ts';
import { type Command, formatOption } from '../command.ts';
import { printOutcomes } from '../print-outcomes.ts';

export const importConfigCommand: Command = {
  name: 'import-config',
  operands: 'FILE…',
  summary: 'Import entity graph files; existing files are kept unless --existing replace is given',
  arity: { min: 1, max: Infinity },
  options: [
    { name: 'into', value: 'DIR', help: 'The folder to write into (default: the current one)' },
    {
      name: 'existing',
      value: 'ACTION',
      help: 'What to do with an existing file',
      choices: ['refuse', 'replace', 'keep-both'],
    },
    formatOption,
  ],
  examples: ['entity-graph import-config exported/*.json --into graphs'],
  async run(invocation) {
    const { operands, options, projectContext } = invocation;
    const folder = resolve(options['into'] ?? '.');
    const existing = options['existing'] as ExistingFile | undefined;
    const files = operands.map((operand) => resolve(operand));
    return printOutcomes(await importConfigurations(files, folder, projectContext, { existing }), invocation);
  },
};
