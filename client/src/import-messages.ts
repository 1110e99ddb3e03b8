import type { Uri } from 'vscode';
import type { ImportSummary } from '../../protocol/import-progress.ts';

/** The end of a successful import in one sentence. */
export function importDoneMessage({ totals, warnings, durationMs }: ImportSummary): string {
  const counts = [
    count(totals.events, 'event', 'events'),
    count(totals.entities, 'entity', 'entities'),
    count(totals.relations, 'relation', 'relations'),
  ];
  const warned = warnings.length === 0 ? '' : ` ${count(warnings.length, 'warning', 'warnings')}.`;
  return `Import Done: ${counts.join(', ')} in ${seconds(durationMs)}.${warned}`;
}

/** What stands before the reason of an import that did not succeed. */
export function importStoppedIntro({ failedStep }: ImportSummary): string {
  return failedStep === undefined ? 'Import stopped: ' : `Import stopped at ${failedStep}: `;
}

/** That the graph of an earlier import stands. @param imported ISO 8601. */
export function earlierGraphText(imported: string | null): string {
  if (imported === null) return 'The earlier graph is still in use.';
  const at = new Date(imported).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return `The graph of ${at} is still in use.`;
}

/** The whole summary for the log: counts of every element and relationship, then the warnings. */
export function summaryLines(uri: Uri, summary: ImportSummary): readonly string[] {
  const { elements, relationships, warnings, error } = summary;
  return [
    `Import of ${fileName(uri)}: ${summary.status}`,
    ...(error ? [`  ${error.message}${error.remedy === undefined ? '' : ` ${error.remedy}`}`] : []),
    ...elements.map(
      ({ activityName, rows, events, entities }) =>
        `  ${activityName}: ${count(rows, 'row', 'rows')}, ${count(events, 'event', 'events')}, ${count(entities, 'entity', 'entities')}`,
    ),
    ...relationships.map(({ name, pairs }) => `  ${name}: ${count(pairs, 'pair', 'pairs')}`),
    ...(summary.steps ?? []).map(
      ({ name, durationMs, rows }) =>
        `  Step ${name}: ${durationMs.toLocaleString('en')} ms${rows === undefined ? '' : `, ${count(rows, 'row', 'rows')}`}`,
    ),
    ...warnings.map((warning) => `  Warning: ${warning}`),
    ...(summary.store === undefined ? [] : [`  ${summary.store}`]),
  ];
}

export function fileName(uri: Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}
