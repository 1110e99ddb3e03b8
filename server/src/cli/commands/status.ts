import { relative, resolve } from 'node:path';
import { type EntityRow, listEntities } from '../../operations/graph-files/list-entities.ts';
import { createGitReader } from '../../project/committed-definitions.ts';
import { toFailure } from '../../operations/operation-error.ts';
import { type Command, exitCodes, formatOption } from '../command.ts';
import { shellText } from '../../../../protocol/shell-text.ts';
import { failureLines } from '../print-failure.ts';
import { shownPath } from '../print-problems.ts';
import { textTable } from '../text-table.ts';

/** Why an entity graph counts as not imported although there is a state of an import. */
const codesOfState: ReadonlySet<string> = new Set(['state-unreadable', 'store-unreadable', 'link-leads-out']);

export const statusCommand: Command = {
  name: 'status',
  operands: '[DIR]',
  summary: 'List the entity graphs of a folder with their import status',
  arity: { min: 0, max: 1 },
  options: [formatOption],
  examples: ['entity-graph status', 'entity-graph status samples --format json'],
  async run({ operands, terminal, format, projectContext }) {
    const folder = resolve(operands[0] ?? '.');
    const workspaceFolder = projectContext.workspaceFolderOf?.(folder);
    const { rows, unreadable } = await listEntities(folder, {
      workspaceFolderOf: () => workspaceFolder,
      git: createGitReader(),
    });
    // The output is a stable interface.
    const entities = rows.map(
      ({ sourcesFile: _, problem: _problem, hasFailed: _failed, lastImport: _import, ...entity }) => entity,
    );
    for (const { error } of unreadable) {
      for (const line of failureLines(toFailure(error))) terminal.note(line);
    }
    for (const { problem } of rows) {
      if (!problem || !codesOfState.has(problem.code)) continue;
      for (const line of failureLines(problem)) terminal.note(line);
    }
    for (const { file, failedWith, imported } of rows) {
      if (failedWith === 'guard-broken') terminal.note(guardText(shownPath(file), imported));
    }
    const exitCode = unreadable.length > 0 ? exitCodes.problems : exitCodes.fine;
    if (format === 'json') {
      terminal.document(JSON.stringify(entities, null, 2));
      return exitCode;
    }
    if (entities.length === 0 && unreadable.length === 0) terminal.note(`There is no *.entity.yaml in ${folder}.`);
    const lines = entities.map((entity) => [
      entity.name,
      relative(process.cwd(), entity.file),
      entity.dataSources.join(', '),
      statusText(entity),
      entity.progress ?? '',
      entity.imported ?? '',
    ]);
    for (const line of textTable(['Name', 'File', 'Data Source', 'Status', 'Progress', 'Imported'], lines))
      terminal.result(line);
    return exitCode;
  },
};

/** What a guard that stopped the last import has left, and what to do. */
function guardText(path: string, imported: string | null): string {
  const kept = imported === null ? '' : ` The graph of ${imported} is still in use.`;
  return `${path}: a guard has stopped the last import, and nothing was published.${kept} Mend the data or the text, or import anyway: entity-graph import ${shellText(path)} --accept-guards`;
}

function statusText({
  status,
  modifiedSinceImport,
  keptRows,
  slice,
}: Pick<EntityRow, 'status' | 'modifiedSinceImport' | 'keptRows' | 'slice'>): string {
  return [
    status,
    ...(modifiedSinceImport ? ['modified since import'] : []),
    ...(slice?.sample === undefined ? [] : [`a sample of ${slice.sample} rows of each element`]),
    ...(slice?.since === undefined ? [] : [`events since ${slice.since}`]),
    ...(keptRows ?? []).map(({ dataSource, readAt }) => `rows of ${dataSource} kept from ${readAt}`),
  ].join(', ');
}
