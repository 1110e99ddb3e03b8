import { resolve } from 'node:path';
import { describeGraph } from '../../operations/graph-files/describe-graph.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { type Command, exitCodes, formatOption } from '../command.ts';
import { textTable } from '../text-table.ts';

export const describeCommand: Command = {
  name: 'describe',
  operands: 'FILE',
  summary: 'Say what an entity graph defines, and what its last import has counted',
  arity: { min: 1, max: 1 },
  options: [formatOption],
  examples: ['entity-graph describe incidents.entity.yaml', 'entity-graph describe shop.entity.yaml --format json'],
  async run({ operands, projectContext, terminal, format }) {
    const file = await readGraphFile(resolve(operands[0] ?? ''), projectContext);
    const described = await describeGraph(file, projectContext);
    if (format === 'json') {
      terminal.document(JSON.stringify(described, null, 2));
      return exitCodes.fine;
    }
    const { elements, entities, relationships, rules, measures, imported } = described;
    const counts = imported?.counts;
    const countOf = (count: number | undefined): string => String(count ?? '');
    const lines = [
      ...elements.map(({ activityName = '', dataObject = '', entityType = '' }) => {
        const own = counts?.elements.find((each) => each.activityName === activityName);
        return ['element', activityName, dataObject, entityType, countOf(own?.entities), countOf(own?.events)];
      }),
      ...entities.map(({ name, entityType = '', dataObject = '' }) => {
        const shown = name ?? (entityType === '' ? dataObject : entityType);
        const own = counts?.entities.find((each) => each.name === shown);
        return ['entities', shown, dataObject, entityType, countOf(own?.entities), ''];
      }),
      ...relationships.map(({ name, source = '', target = '' }) => [
        ...['relationship', name ?? '', `${source} -> ${target}`, '', '', ''],
      ]),
      ...rules.map(({ name }) => ['rule', name ?? '', '', '', '', '']),
      ...measures.map(({ name }) => ['measure', name ?? '', '', '', '', '']),
    ];
    for (const line of textTable(['What', 'Name', 'Of', 'Entity Type', 'Entities', 'Events'], lines, new Set([4, 5])))
      terminal.result(line);
    return exitCodes.fine;
  },
};
