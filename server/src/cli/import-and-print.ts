import { resolve } from 'node:path';
import type {
  ImportOutcome,
  ImportProgress,
  ImportedGraph,
  RowExpectationResult,
  StepReport,
} from '../../../protocol/import-progress.ts';
import type { ImportRequest } from '../../../protocol/import-request.ts';
import { importGraph } from '../operations/imports/import-graph.ts';
import { toOutcome } from '../operations/operation-error.ts';
import { readGraphFile } from '../project/open-project.ts';
import { importSummary } from './import-summary.ts';
import { type ExitCode, type Invocation, exitCodes } from './command.ts';
import { failureLines } from './print-failure.ts';
import { type Line, paint, styled } from './styled-text.ts';
import { numbersText } from '../../../protocol/rule-outcome.ts';
import { thousands } from '../../../protocol/thousands.ts';
import { measureOutcome, measureSummary } from './print-measures.ts';
import { ruleOutcome } from './print-rules.ts';
import { textTable } from './text-table.ts';

/** Imports the entity graph of the first operand, prints progress and result. Resolves to the exit code. */
export async function importAndPrint(invocation: Invocation, request: ImportRequest): Promise<ExitCode> {
  const { terminal, options } = invocation;
  const json = invocation.format === 'json';
  const onProgress = (progress: ImportProgress): void => {
    if (json) terminal.document(JSON.stringify(progress));
    else terminal.progress(`${progress.step}: ${progress.message}`, progress.fraction);
  };
  const outcome = await importFile(invocation, request, onProgress);
  terminal.endProgress();
  const steps = outcome.status === 'imported' ? outcome.steps : [];
  if (json) terminal.document(JSON.stringify(importSummary(outcome)));
  else for (const line of outcomeLines(outcome)) terminal.result(line);
  if (!json && options['steps'] === 'true') for (const line of stepLines(steps)) terminal.result(line);
  if (outcome.status !== 'imported') {
    for (const line of failureLines(outcome.error)) terminal.note(line);
    if (request.kind === 'build' && outcome.error.hasKeptRows)
      terminal.note('  Rows of this data source are kept from an earlier import: --sources-down keep takes them.');
    return exitCodes.problems;
  }
  for (const warning of outcome.warnings) terminal.note(styled`${paint.yellow('warning')}: ${warning}`);
  return exitCodes.fine;
}

/** A file that cannot be read is refused, so that the summary comes in any case. */
async function importFile(
  { operands, projectContext, signal }: Invocation,
  request: ImportRequest,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportOutcome> {
  const read = await toOutcome(() => readGraphFile(resolve(operands[0] ?? ''), projectContext), signal);
  if (!read.ok) return { status: 'refused', error: read.error };
  return importGraph(read.value, projectContext, { request, onProgress, signal });
}

/** Step names as in `plan`. */
function stepLines(steps: readonly StepReport[]): readonly string[] {
  const rows = steps.map((step) => [
    `${step.name}${stepNote(step)}`,
    step.rows === undefined ? '' : thousands(step.rows),
    thousands(step.durationMs),
  ]);
  return ['', ...textTable(['Step', 'Rows', 'ms'], rows, new Set([1, 2]))];
}

function stepNote({ isUnchanged = false, keptRows }: StepReport): string {
  if (isUnchanged) return ' (unchanged, not pulled again)';
  return keptRows === undefined ? '' : ` (${thousands(keptRows)} rows unchanged, not pulled again)`;
}

function outcomeLines(outcome: ImportOutcome): readonly Line[] {
  switch (outcome.status) {
    case 'imported':
      return graphLines(outcome);
    case 'failed':
      return [paint.red(`Import stopped at ${outcome.failedStep}.`)];
    case 'cancelled':
      return [paint.red(`Import cancelled at ${outcome.failedStep}.`)];
    case 'refused':
    case 'lost':
      return [paint.red('Import stopped.')];
    case 'cancelled before it began':
      return [paint.red('Import cancelled.')];
  }
}

const expectationLabels: Readonly<Record<RowExpectationResult['expectation'], string>> = {
  unique: 'unique',
  notNull: 'not null',
  values: 'values of',
  rows: 'rows:',
};

function graphLines(imported: ImportedGraph): readonly Line[] {
  const { totals } = imported;
  const elements = textTable(
    ['Element', 'Rows', 'Events', 'Entities', 'No start', 'No key'],
    imported.elements.map((element) => [
      element.activityName,
      ...[element.rows, element.events, element.entities, element.rowsWithoutStart, element.rowsWithoutKey].map(
        thousands,
      ),
    ]),
    new Set([1, 2, 3, 4, 5]),
  );
  const entries = imported.entities.map(({ name, rows, entities, rowsWithoutKey }) => [
    name,
    ...[rows, entities, rowsWithoutKey].map(thousands),
  ]);
  const entities =
    entries.length === 0
      ? []
      : ['', ...textTable(['Entities', 'Rows', 'Entities', 'No key'], entries, new Set([1, 2, 3]))];
  const pairs = imported.relationships.map(({ name, pairs }) => [name, thousands(pairs)]);
  const relationships = pairs.length === 0 ? [] : ['', ...textTable(['Relationship', 'Pairs'], pairs, new Set([1]))];
  const expected = (imported.expectations ?? []).map(({ element, expectation, columns, expected, judged, broken }) => [
    element,
    `${expectationLabels[expectation]} ${expected ?? columns.join(', ')}`,
    ...[judged, broken].map(thousands),
  ]);
  const expectations =
    expected.length === 0
      ? []
      : ['', ...textTable(['Expectation of', 'What', 'Judged', 'Broken'], expected, new Set([2, 3]))];
  const rules = (imported.rules ?? []).map(
    (result) => styled`${ruleOutcome(result)}  ${result.name}: ${numbersText(result)}`,
  );
  const measures = (imported.measures ?? []).map(
    (result) => styled`${measureOutcome(result)}  ${result.name}: ${measureSummary(result)}`,
  );
  const slice = imported.slice ? paint.yellow(' (a slice, not the whole graph)') : '';
  return [
    styled`${paint.green('Import Done')} in ${(imported.durationMs / 1000).toFixed(1)} s${slice}`,
    '',
    ...elements,
    ...entities,
    ...relationships,
    ...expectations,
    ...(rules.length === 0 ? [] : ['', ...rules]),
    ...(measures.length === 0 ? [] : ['', ...measures]),
    '',
    [
      `${thousands(totals.events)} events`,
      `${thousands(totals.entities)} entities`,
      `${thousands(totals.correlations)} correlations`,
      `${thousands(totals.relations)} relations`,
      `${thousands(totals.directlyFollows)} directly-follows`,
    ].join(' · '),
    paint.dim(`Graph: ${imported.store ?? `schema ${imported.schema ?? ''} of the data source`}`),
  ];
}
