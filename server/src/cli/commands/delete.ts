import { resolve } from 'node:path';
import { deleteGraph, previewDelete } from '../../operations/graph-files/delete-graph.ts';
import { sourceGraphText } from '../../operations/imports/graphs-in-sources.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { type Command, UsageError, formatOption } from '../command.ts';
import { printOutcomes } from '../print-outcomes.ts';

export const deleteCommand: Command = {
  name: 'delete',
  operands: 'FILE',
  summary: 'Delete an entity graph with its state and its imported graphs',
  arity: { min: 1, max: 1 },
  options: [
    { name: 'yes', help: 'Really delete; without it, nothing is touched' },
    { name: 'drop-tables', help: 'Also drop what imports with engine: source have left in the data source' },
    formatOption,
  ],
  examples: [
    'entity-graph delete incidents.entity.yaml --yes',
    'entity-graph delete incidents.entity.yaml --yes --drop-tables',
  ],
  async run(invocation) {
    const { operands, options, projectContext, signal } = invocation;
    const dropTables = options['drop-tables'] === 'true';
    const file = resolve(operands[0] ?? '');
    await readGraphFile(file, projectContext);
    if (options['yes'] !== 'true') {
      const { paths, inSources } = await previewDelete(file, projectContext);
      const tables = inSources.map(sourceGraphText);
      const left = tables.length > 0 && !dropTables ? ` Without --drop-tables, ${tables.join(', ')} stays.` : '';
      throw new UsageError(`--yes is needed to delete ${[...paths, ...(dropTables ? tables : [])].join(', ')}.${left}`);
    }
    return printOutcomes(await deleteGraph(file, projectContext, { dropTables, signal }), invocation);
  },
};
