import type { Catalog } from '../../catalog/catalog.ts';
import { connectorOf, describeSource, findSource } from '../../project/open-project.ts';
import { type Command, type Invocation, exitCodes, formatOption } from '../command.ts';
import { chosenSources, sourcesOption } from '../sources-option.ts';
import { paint, styled } from '../styled-text.ts';
import { textTable } from '../text-table.ts';

export const objectsCommand: Command = {
  name: 'objects',
  operands: 'SOURCE',
  summary: 'List the tables, views and files of a data source with their columns',
  arity: { min: 1, max: 1 },
  options: [sourcesOption, formatOption],
  examples: [
    'entity-graph objects files --sources samples/incidents/entity-sources.yaml',
    'entity-graph objects shop --format json',
  ],
  async run(invocation) {
    const { terminal } = invocation;
    const catalog = await readCatalog(invocation);
    for (const warning of catalog.warnings) terminal.note(styled`${paint.yellow('warning')}: ${warning}`);
    if (invocation.format === 'json') terminal.document(JSON.stringify(toJson(catalog), null, 2));
    else for (const line of textLines(catalog)) terminal.result(line);
    return exitCodes.fine;
  },
};

async function readCatalog(invocation: Invocation): Promise<Catalog> {
  const { operands, projectContext, signal } = invocation;
  const sourcesFile = await chosenSources(invocation);
  const source = findSource(sourcesFile, operands[0] ?? '');
  const connector = await connectorOf(sourcesFile, source, projectContext);
  try {
    return await describeSource(sourcesFile, source, connector, projectContext, { signal });
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
