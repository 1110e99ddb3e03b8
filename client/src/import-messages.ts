import { type Uri, l10n } from 'vscode';
import type { ImportSummary } from '../../protocol/import-progress.ts';

/** One sentence about a successful import. */
export function importDoneMessage({ totals, warnings, durationMs }: ImportSummary): string {
  const { events, entities, relations } = totals;
  const counts = [
    events === 1 ? l10n.t('1 event') : l10n.t('{0} events', number(events)),
    entities === 1 ? l10n.t('1 entity') : l10n.t('{0} entities', number(entities)),
    relations === 1 ? l10n.t('1 relation') : l10n.t('{0} relations', number(relations)),
  ];
  const done = l10n.t('Import Done: {0} in {1} s.', counts.join(', '), (durationMs / 1000).toFixed(1));
  if (warnings.length === 0) return done;
  return `${done} ${warnings.length === 1 ? l10n.t('1 warning.') : l10n.t('{0} warnings.', warnings.length)}`;
}

/** Prefix of the reason of an import that did not succeed. */
export function importStoppedIntro({ failedStep }: ImportSummary): string {
  return failedStep === undefined
    ? `${l10n.t('Import stopped:')} `
    : `${l10n.t('Import stopped at {0}:', failedStep)} `;
}

/** Says that the graph of an earlier import is kept. @param imported ISO 8601. */
export function earlierGraphText(imported: string | null): string {
  if (imported === null) return l10n.t('The earlier graph is still in use.');
  const at = new Date(imported).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return l10n.t('The graph of {0} is still in use.', at);
}

/** A log line with its level. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
}

/** The complete summary for the log: counts of every element and relationship, then warnings. */
export function summaryLines(uri: Uri, summary: ImportSummary): readonly LogLine[] {
  const { status, elements, relationships, warnings, error, store } = summary;
  const level = status === 'failed' ? 'error' : 'info';
  const lines = (texts: readonly string[], of: LogLine['level']) => texts.map((text): LogLine => ({ level: of, text }));
  const ending = [
    `Import of ${fileName(uri)}: ${status}`,
    ...(error ? [`  ${error.message}${error.remedy === undefined ? '' : ` ${error.remedy}`}`] : []),
  ];
  const counts = [
    ...elements.map(
      ({ activityName, rows, events, entities }) =>
        `  ${activityName}: ${count(rows, 'row', 'rows')}, ${count(events, 'event', 'events')}, ${count(entities, 'entity', 'entities')}`,
    ),
    ...relationships.map(({ name, pairs }) => `  ${name}: ${count(pairs, 'pair', 'pairs')}`),
    ...(summary.steps ?? []).map(
      ({ name, durationMs, rows, isUnchanged = false }) =>
        `  Step ${name}: ${durationMs.toLocaleString('en')} ms${rows === undefined ? '' : `, ${count(rows, 'row', 'rows')}`}${isUnchanged ? ', unchanged' : ''}`,
    ),
  ];
  return [
    ...lines(ending, level),
    ...lines(counts, 'info'),
    ...lines(
      warnings.map((warning) => `  ${warning}`),
      'warn',
    ),
    ...lines(store === undefined ? [] : [`  ${store}`], 'info'),
  ];
}

export function fileName(uri: Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

/** The log is always in English. */
function count(amount: number, one: string, many: string): string {
  return `${number(amount)} ${amount === 1 ? one : many}`;
}

function number(amount: number): string {
  return amount.toLocaleString('en');
}
