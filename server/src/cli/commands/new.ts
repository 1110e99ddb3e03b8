import { resolve } from 'node:path';
import { newGraph } from '../../operations/graph-files/new-graph.ts';
import { type Command, exitCodes, formatOption, requiredOption } from '../command.ts';
import { chosenSources, sourcesOption } from '../sources-option.ts';

export const newCommand: Command = {
  name: 'new',
  operands: 'SOURCE',
  summary: "Write a first entity graph from a source's timestamps and foreign keys",
  arity: { min: 1, max: 1 },
  options: [
    { name: 'objects', value: 'A,B', help: 'The data objects to use (default: all)' },
    { name: 'output', value: 'FILE', help: 'The file to write, such as shop.entity.yaml' },
    sourcesOption,
    formatOption,
  ],
  examples: ['entity-graph new shop --objects orders,customers --output shop.entity.yaml'],
  async run(invocation) {
    const { operands, options, terminal, surroundings, signal, format } = invocation;
    const output = resolve(requiredOption(invocation, 'output'));
    const objects = options['objects']?.split(',').map((name) => name.trim());
    const sourcesFile = await chosenSources(invocation, output);
    const leftOut = await newGraph(
      sourcesFile,
      operands[0] ?? '',
      { output, signal, ...(objects ? { objects } : {}) },
      surroundings,
    );
    for (const name of leftOut) {
      terminal.note(
        `${terminal.paint.yellow('warning')}: ${name} is left out: it has no time, or nothing that identifies its rows.`,
      );
    }
    terminal.result(format === 'json' ? JSON.stringify({ file: output }) : output);
    return exitCodes.fine;
  },
};
