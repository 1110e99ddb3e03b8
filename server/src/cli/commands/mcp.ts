import { type Command, UsageError } from '../command.ts';

/** The program `server/src/mcp/main.ts` runs it; this is its help. */
export const mcpCommand: Command = {
  name: 'mcp',
  operands: '[DIR]',
  summary: 'Serve a folder to agents by the Model Context Protocol (stdio)',
  details: [
    'Read-only: validates, runs tests, and answers questions about imported graphs. No data source is contacted, no data',
    'file is opened and nothing is written. With --allow reach data sources are read and graphs imported, with --allow edit',
    'entity graphs and files of tests are written. Graphs with engine: source are built in their data source with --allow',
    'reach,write only.',
  ],
  arity: { min: 0, max: 1 },
  options: [{ name: 'allow', value: 'WHAT', help: 'What agents may do besides: reach, edit, write (with commas)' }],
  examples: ['entity-graph mcp', 'entity-graph mcp samples --allow reach,edit'],
  run() {
    throw new UsageError('It is started by the program entity-graph, as it talks on stdin and stdout.');
  },
};
