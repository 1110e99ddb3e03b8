import { resolve } from 'node:path';
import type { GraphDiff } from '../../../../protocol/graph-diff.ts';
import { diffGraph } from '../../operations/stored-graphs/diff-graph.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { type Command, exitCodes, formatOption, listedRows } from '../command.ts';
import { type Line, paint } from '../styled-text.ts';
import { changeLines, rowLines, schemaText } from '../print-changes.ts';

export const diffCommand: Command = {
  name: 'diff',
  operands: 'FILE',
  summary: 'Compare the last import with the one before it',
  arity: { min: 1, max: 1 },
  options: [
    { name: 'rows', help: `List rows, at most ${listedRows} of each number: their keys and values are printed` },
    formatOption,
  ],
  examples: ['entity-graph diff incidents.entity.yaml', 'entity-graph diff shop.entity.yaml --format json'],
  async run({ operands, options, projectContext, signal, terminal, format }) {
    const file = await readGraphFile(resolve(operands[0] ?? ''), projectContext);
    const diff = await diffGraph(file, projectContext, signal, options['rows'] === 'true' ? listedRows : undefined);
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
    ...changeLines(changes),
    ...rowLines(diff.rows),
    ...(diff.schema.length > 0 ? [''] : []),
    ...diff.schema.map(schemaText),
  ];
}
