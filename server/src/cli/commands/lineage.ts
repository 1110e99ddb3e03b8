import { basename, resolve } from 'node:path';
import { lineageJson } from '../../lineage/formats/lineage-json.ts';
import { lineageMermaid } from '../../lineage/formats/mermaid.ts';
import { openLineageEvent } from '../../lineage/formats/open-lineage.ts';
import { columnKey, columnsNamed, outputsOf } from '../../lineage/trace.ts';
import { traceGraph } from '../../operations/lineage/trace-graph.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { type Command, exitCodes } from '../command.ts';
import { columnLines, lineageLines } from '../print-lineage.ts';
import { paint } from '../styled-text.ts';

export const lineageCommand: Command = {
  name: 'lineage',
  operands: 'FILE',
  summary: 'List the columns that each property, rule and measure comes from, and what each column feeds',
  details: ['Needs no connection: reads local files, and what is known of other data sources.'],
  arity: { min: 1, max: 1 },
  options: [
    { name: 'column', value: 'OBJECT.COLUMN', help: 'Only what this column feeds' },
    {
      name: 'format',
      value: 'FORMAT',
      help: 'How to print the result',
      choices: ['text', 'json', 'mermaid', 'openlineage'],
    },
  ],
  examples: [
    'entity-graph lineage shop.entity.yaml',
    'entity-graph lineage shop.entity.yaml --column orders.amount',
    'entity-graph lineage shop.entity.yaml --format mermaid > lineage.mmd',
  ],
  async run({ operands, options, projectContext, signal, terminal, format }) {
    const file = await readGraphFile(resolve(operands[0] ?? ''), projectContext);
    const { outputs: all, lines, notes, untraced } = await traceGraph(file, projectContext, signal);
    for (const note of notes) terminal.note(paint.dim(note));
    const column = options['column'];
    const named = column === undefined ? undefined : columnsNamed(column, all);
    const fed = named && new Set(named.flatMap((each) => outputsOf(each, all)));
    const outputs = fed ? all.filter((output) => fed.has(output)) : all;
    switch (format) {
      case 'json': {
        const only = named && new Set(named.map(columnKey));
        terminal.document(JSON.stringify({ ...lineageJson(outputs, lines, only), notes }, null, 2));
        break;
      }
      case 'mermaid':
        terminal.document(lineageMermaid(outputs));
        break;
      case 'openlineage':
        terminal.document(JSON.stringify(openLineageEvent(outputs, graphName(file.path), new Date()), null, 2));
        break;
      default:
        for (const line of column === undefined ? lineageLines(all) : columnLines(column, all, lines, untraced))
          terminal.result(line);
    }
    return exitCodes.fine;
  },
};

function graphName(path: string): string {
  return basename(path).replace(/\.entity\.(ya?ml|json)$/i, '');
}
