import { type Command, formatOption } from '../command.ts';
import { importAndPrint } from '../import-and-print.ts';

export const fetchCommand: Command = {
  name: 'fetch',
  operands: 'FILE',
  summary: 'Copy a graph that was built inside its source (engine: source) to this machine',
  arity: { min: 1, max: 1 },
  options: [{ name: 'steps', help: 'Print rows and time of each table too' }, formatOption],
  examples: ['entity-graph fetch incidents.entity.yaml'],
  run: (invocation) => importAndPrint(invocation, { kind: 'fetch' }),
};
