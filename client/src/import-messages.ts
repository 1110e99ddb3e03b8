import { type Uri, l10n } from 'vscode';
import type { ImportOutcome, ImportedGraph } from '../../protocol/import-progress.ts';
import { sentence } from '../../protocol/sentence.ts';

/** One sentence about a successful import. */
export function importDoneMessage(imported: ImportedGraph): string {
  const { totals, warnings, durationMs, slice } = imported;
  const { events, entities, relations } = totals;
  const counts = [
    events === 1 ? l10n.t('1 event') : l10n.t('{0} events', number(events)),
    entities === 1 ? l10n.t('1 entity') : l10n.t('{0} entities', number(entities)),
    relations === 1 ? l10n.t('1 relation') : l10n.t('{0} relations', number(relations)),
  ];
  const seconds = (durationMs / 1000).toFixed(1);
  const done = slice
    ? l10n.t('Import Done, of a part of the graph: {0} in {1} s.', counts.join(', '), seconds)
    : l10n.t('Import Done: {0} in {1} s.', counts.join(', '), seconds);
  const warned = warnings.length === 1 ? l10n.t('1 warning.') : l10n.t('{0} warnings.', warnings.length);
  return [done, ...brokenTexts(imported), ...(warnings.length === 0 ? [] : [warned])].join(' ');
}

/** Names the process rules and expectations of rows that the import found broken. */
export function brokenTexts({ rules = [], expectations = [] }: ImportedGraph): readonly string[] {
  const broken = rules.filter(isBroken).map(({ name }) => name);
  const rows = expectations.filter(isBroken).length;
  const [first, ...others] = broken;
  return [
    ...(first === undefined
      ? []
      : others.length === 0
        ? [l10n.t('The rule {0} is broken.', first)]
        : [l10n.t('{0} rules are broken: {1}.', broken.length, broken.join(', '))]),
    ...(rows === 0
      ? []
      : [
          rows === 1
            ? l10n.t('1 expectation of rows is broken.')
            : l10n.t('{0} expectations of rows are broken.', rows),
        ]),
  ];
}

/** Those of the severity `info` inform only. */
function isBroken({ holds, severity }: { readonly holds: boolean; readonly severity: string }): boolean {
  return !holds && severity !== 'info';
}

/** Prefix of the reason of an import that did not succeed. */
export function importStoppedIntro(outcome: ImportWithoutGraph): string {
  return 'failedStep' in outcome
    ? `${l10n.t('Import stopped at {0}:', outcome.failedStep)} `
    : `${l10n.t('Import stopped:')} `;
}

/** Any end of an import but a graph. */
export type ImportWithoutGraph = Exclude<ImportOutcome, ImportedGraph>;

/** Whether a person ended an import. */
export function isCancelled({ status }: ImportOutcome): boolean {
  return status === 'cancelled' || status === 'cancelled before it began';
}

/** Says that the graph of an earlier import is kept. @param imported ISO 8601. */
export function earlierGraphText(imported: string | null): string {
  if (imported === null) return l10n.t('The earlier graph is still in use.');
  const at = new Date(imported).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return l10n.t('The graph of {0} is still in use.', at);
}

/** A log line with its level. */
interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
}

/** The complete summary for the log: counts of every element and relationship, then warnings. */
export function outcomeLines(uri: Uri, outcome: ImportOutcome): readonly LogLine[] {
  const level = outcome.status === 'imported' || isCancelled(outcome) ? 'info' : 'error';
  const lines = logLines([`Import of ${fileName(uri)}: ${outcome.status}`], level);
  if (outcome.status === 'imported') return [...lines, ...graphLines(outcome)];
  const { message, remedy } = outcome.error;
  return [...lines, ...logLines([`  ${sentence(message)}${remedy === undefined ? '' : ` ${remedy}`}`], level)];
}

function graphLines({ elements, entities, relationships, steps, warnings, store }: ImportedGraph): readonly LogLine[] {
  const counts = [
    ...elements.map(
      ({ activityName, rows, events, entities: made }) =>
        `  ${activityName}: ${count(rows, 'row', 'rows')}, ${count(events, 'event', 'events')}, ${count(made, 'entity', 'entities')}`,
    ),
    ...entities.map(
      ({ name, rows, entities: made }) =>
        `  ${name}: ${count(rows, 'row', 'rows')}, ${count(made, 'entity', 'entities')}`,
    ),
    ...relationships.map(({ name, pairs }) => `  ${name}: ${count(pairs, 'pair', 'pairs')}`),
    ...steps.map(
      ({ name, durationMs, rows, isUnchanged = false }) =>
        `  Step ${name}: ${durationMs.toLocaleString('en')} ms${rows === undefined ? '' : `, ${count(rows, 'row', 'rows')}`}${isUnchanged ? ', unchanged' : ''}`,
    ),
  ];
  return [
    ...logLines(counts, 'info'),
    ...logLines(
      warnings.map((warning) => `  ${warning}`),
      'warn',
    ),
    ...logLines(store === undefined ? [] : [`  ${store}`], 'info'),
  ];
}

function logLines(texts: readonly string[], level: LogLine['level']): readonly LogLine[] {
  return texts.map((text) => ({ level, text }));
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
