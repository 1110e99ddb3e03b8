import { resolve } from 'node:path';
import type { Catalog } from '../../catalog/catalog.ts';
import { connectorOf, describeSource, findSource, findSources, readSourcesFile } from '../../project/open-project.ts';
import { SourceError } from '../../connectors/source-error.ts';
import { type Command, type Invocation, exitCodes } from '../command.ts';
import { textTable } from '../text-table.ts';

export const objectsCommand: Command = {
  name: 'objects',
  operands: 'SOURCE',
  summary: 'List the tables, views and files of a data source with their columns',
  arity: { min: 1, max: 1 },
  options: [
    { name: 'sources', value: 'FILE', help: 'The entity-sources file (default: the nearest one)' },
    { name: 'format', value: 'FORMAT', help: 'How to print the result', choices: ['text', 'json'] },
  ],
  examples: [
    'entity-graph objects files --sources samples/incidents/entity-sources.yaml',
    'entity-graph objects shop --format json',
  ],
  async run(invocation) {
    const { terminal } = invocation;
    const catalog = await readCatalog(invocation);
    for (const warning of catalog.warnings) terminal.note(`${terminal.paint.yellow('warning')}: ${warning}`);
    if (invocation.format === 'json') terminal.result(JSON.stringify(toJson(catalog), null, 2));
    else for (const line of textLines(catalog)) terminal.result(line);
    return exitCodes.fine;
  },
};

async function readCatalog({ operands, options, surroundings, signal }: Invocation): Promise<Catalog> {
  const given = options['sources'];
  const sourcesFile =
    given === undefined
      ? await findSources(resolve('any.entity.yaml'), surroundings)
      : await readSourcesFile(resolve(given), surroundings);
  if (!sourcesFile) {
    throw new SourceError('source-config', 'No entity-sources.yaml was found here or above.', {
      remedy: 'Name it with --sources FILE.',
    });
  }
  const source = findSource(sourcesFile, operands[0] ?? '');
  const connector = await connectorOf(sourcesFile, source, surroundings);
  try {
    return await describeSource(sourcesFile, source, connector, { signal });
  } finally {
    await connector.close();
  }
}

function toJson(catalog: Catalog): unknown {
  return catalog.objects.map((object) => ({
    name: object.name,
    kind: object.kind,
    comment: object.comment,
    columns: object.columns.map(({ name, type, nullable, primaryKey, references, comment }) => ({
      name,
      type,
      nullable,
      primaryKey,
      references,
      comment,
    })),
    foreignKeys: object.foreignKeys,
    statistics: object.statistics,
  }));
}

function textLines(catalog: Catalog): readonly string[] {
  const rows = catalog.objects.map((object) => [
    object.name,
    object.kind,
    String(object.columns.length),
    object.statistics.rowEstimate === undefined ? '' : `~${object.statistics.rowEstimate}`,
    object.primaryKey.join(', '),
  ]);
  return textTable(['Data Object', 'Kind', 'Columns', 'Rows', 'Key'], rows, new Set([2, 3]));
}
