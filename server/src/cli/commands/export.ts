import { resolve } from 'node:path';
import { exportFormats } from '../../export/index.ts';
import { exportGraph } from '../../operations/export-graph.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { type Command, exitCodes, requiredOption, formatOption } from '../command.ts';

const formats = exportFormats.map(({ name }) => name);

export const exportCommand: Command = {
  name: 'export',
  operands: 'FILE',
  summary: 'Write the imported graph of an entity graph into files',
  arity: { min: 1, max: 1 },
  options: [
    { name: 'as', value: 'FORM', help: `The form to write: ${formats.join(', ')}`, choices: formats },
    { name: 'output', value: 'PATH', help: 'The folder to write into; for the OCEL forms, the file' },
    formatOption,
  ],
  examples: ['entity-graph export incidents.entity.yaml --as parquet --output graph'],
  async run(invocation) {
    const { operands, surroundings, signal, terminal, format } = invocation;
    const as = requiredOption(invocation, 'as');
    const output = requiredOption(invocation, 'output');
    const file = await readGraphFile(resolve(operands[0] ?? ''), surroundings);
    const files = await exportGraph(file, surroundings, { format: as, output, signal });
    if (format === 'json') terminal.result(JSON.stringify({ files }, null, 2));
    else for (const path of files) terminal.result(path);
    return exitCodes.fine;
  },
};
