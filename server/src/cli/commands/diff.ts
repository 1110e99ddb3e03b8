import { resolve } from 'node:path';
import type { CountChange, GraphDiff } from '../../../../protocol/graph-diff.ts';
import { thousands } from '../../../../protocol/thousands.ts';
import { diffGraph } from '../../operations/stored-graphs/diff-graph.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { type Command, exitCodes, formatOption } from '../command.ts';
import { type Line, paint } from '../styled-text.ts';
import { changeLines } from '../print-changes.ts';
import { textTable } from '../text-table.ts';

export const diffCommand: Command = {
  name: 'diff',
  operands: 'FILE',
  summary: 'Compare the last import with the one before it',
  arity: { min: 1, max: 1 },
  options: [formatOption],
  examples: ['entity-graph diff incidents.entity.yaml', 'entity-graph diff shop.entity.yaml --format json'],
  async run({ operands, projectContext, signal, terminal, format }) {
    const file = await readGraphFile(resolve(operands[0] ?? ''), projectContext);
    const diff = await diffGraph(file, projectContext, signal);
    if (format === 'json') terminal.document(JSON.stringify(diff, null, 2));
    else for (const line of textLines(diff)) terminal.result(line);
    return exitCodes.fine;
  },
};

const nothingFoundText = 'Nothing has changed: the same entities, events, times, values, relations and verdicts.';

function textLines(diff: GraphDiff): readonly Line[] {
  const { before, after, changes } = diff;
  const slices = [before, after].some(({ slice }) => slice)
    ? [paint.yellow('At least one of the runs is a slice.')]
    : [];
  const config = before.configHash === after.configHash ? [] : ['The entity graph was changed in between.'];
  const head = [`${before.started} → ${after.started}`, ...slices, ...config];
  if (!diff.changed) return [...head, nothingFoundText];
  return [
    ...head,
    ...countTable('Table', diff.tables),
    ...countTable('Activity', diff.activities),
    ...changeLines(changes),
    ...diff.entities.flatMap(({ entityType, added, removed, addedKeys, removedKeys }) => [
      '',
      `${entityType}: ${thousands(added)} new, ${thousands(removed)} gone`,
      ...keyLine('+', addedKeys, added),
      ...keyLine('-', removedKeys, removed),
    ]),
    ...(diff.schema.length > 0 ? [''] : []),
    ...diff.schema.map(
      (change) => `${change.element}, ${change.property}: ${change.before ?? 'not there'} → ${change.after ?? 'gone'}`,
    ),
  ];
}

function countTable(title: string, changes: readonly CountChange[]): readonly string[] {
  if (changes.length === 0) return [];
  const rows = changes.map(({ name, before, after }) => {
    const difference = after - before;
    const sign = difference > 0 ? '+' : '';
    return [name, thousands(before), thousands(after), difference === 0 ? '' : sign + thousands(difference)];
  });
  return ['', ...textTable([title, 'Before', 'After', ''], rows, new Set([1, 2, 3]))];
}

function keyLine(sign: string, keys: readonly string[], count: number): readonly string[] {
  return keys.length === 0 ? [] : [`  ${sign} ${keys.join(', ')}${count > keys.length ? ' …' : ''}`];
}
