import { resolve } from 'node:path';
import type { ImportProgress, ImportSummary } from '../../../protocol/import-progress.ts';
import type { ImportRequest } from '../../../protocol/import-request.ts';
import { importGraph } from '../operations/imports/import-graph.ts';
import { readGraphFile } from '../project/open-project.ts';
import { type ExitCode, type Invocation, exitCodes } from './command.ts';
import { failureLines } from './print-failure.ts';
import type { Paint } from './terminal.ts';
import { textTable } from './text-table.ts';

/** Imports the entity graph that is the first operand, with progress, and prints what came of it. Resolves to the exit code. */
export async function importAndPrint(invocation: Invocation, request: ImportRequest): Promise<ExitCode> {
  const { terminal, surroundings, signal, options } = invocation;
  const json = invocation.format === 'json';
  const file = await readGraphFile(resolve(invocation.operands[0] ?? ''), surroundings);
  const onProgress = (progress: ImportProgress): void => {
    if (json) terminal.result(JSON.stringify(progress));
    else terminal.progress(`${progress.step}: ${progress.message}`, progress.fraction);
  };
  const summary = await importGraph(file, surroundings, { request, onProgress, signal });
  terminal.endProgress();
  if (json) terminal.result(JSON.stringify(summary));
  else for (const line of summaryLines(summary, terminal.paint)) terminal.result(line);
  if (!json && options['steps'] === 'true') for (const line of stepLines(summary)) terminal.result(line);
  for (const warning of summary.warnings) terminal.note(`${terminal.paint.yellow('warning')}: ${warning}`);
  if (summary.error) for (const line of failureLines(summary.error, terminal.paint)) terminal.note(line);
  return summary.status === 'imported' ? exitCodes.fine : exitCodes.problems;
}

/** As `plan` names them. */
function stepLines({ steps = [] }: ImportSummary): readonly string[] {
  const rows = steps.map(({ name, durationMs, rows, isUnchanged = false }) => [
    isUnchanged ? `${name} (unchanged, not pulled again)` : name,
    rows === undefined ? '' : number.format(rows),
    number.format(durationMs),
  ]);
  return ['', ...textTable(['Step', 'Rows', 'ms'], rows, new Set([1, 2]))];
}

const number = new Intl.NumberFormat('en-US');

function summaryLines(summary: ImportSummary, paint: Paint): readonly string[] {
  if (summary.status !== 'imported') {
    const where = summary.failedStep === undefined ? '' : ` at ${summary.failedStep}`;
    return [paint.red(summary.status === 'cancelled' ? `Import cancelled${where}.` : `Import stopped${where}.`)];
  }
  const { totals } = summary;
  const elements = textTable(
    ['Element', 'Rows', 'Events', 'Entities', 'No start', 'No key'],
    summary.elements.map((element) => [
      element.activityName,
      ...[element.rows, element.events, element.entities, element.rowsWithoutStart, element.rowsWithoutKey].map(
        number.format,
      ),
    ]),
    new Set([1, 2, 3, 4, 5]),
  );
  const entries = summary.entities.map(({ name, rows, entities, rowsWithoutKey }) => [
    name,
    ...[rows, entities, rowsWithoutKey].map(number.format),
  ]);
  const entities =
    entries.length === 0
      ? []
      : ['', ...textTable(['Entities', 'Rows', 'Entities', 'No key'], entries, new Set([1, 2, 3]))];
  const pairs = summary.relationships.map(({ name, pairs }) => [name, number.format(pairs)]);
  const relationships = pairs.length === 0 ? [] : ['', ...textTable(['Relationship', 'Pairs'], pairs, new Set([1]))];
  const slice = summary.slice ? paint.yellow(' (a slice, not the whole graph)') : '';
  return [
    `${paint.green('Import Done')} in ${(summary.durationMs / 1000).toFixed(1)} s${slice}`,
    '',
    ...elements,
    ...entities,
    ...relationships,
    '',
    [
      `${number.format(totals.events)} events`,
      `${number.format(totals.entities)} entities`,
      `${number.format(totals.correlations)} correlations`,
      `${number.format(totals.relations)} relations`,
      `${number.format(totals.directlyFollows)} directly-follows`,
    ].join(' · '),
    paint.dim(`Graph: ${summary.store ?? `schema ${summary.schema ?? ''} of the data source`}`),
  ];
}
