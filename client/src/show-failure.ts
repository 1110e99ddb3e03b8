import { Uri, commands, l10n } from 'vscode';
import type { FailureCode } from '../../protocol/failure-codes.ts';
import type { Failure } from '../../protocol/query-results.ts';
import { commandIds } from './command-ids.ts';
import { revealRange } from './reveal-range.ts';
import { sentence } from '../../protocol/sentence.ts';
import { showErrorMessage } from './messages.ts';

/** A notification button. */
export interface Action {
  readonly title: string;
  run(): Thenable<unknown>;
}

/** The remedy of a failure, as a button next to the one that opens its position. */
const remedies: Readonly<Partial<Record<FailureCode, (uri: Uri | undefined) => Action>>> = {
  'secret-missing': setSecret,
  'secret-not-allowed': () => ({
    title: l10n.t('Manage Allowed Hosts…'),
    run: () => commands.executeCommand(commandIds.manageAllowedHosts),
  }),
  'authentication-failed': setSecret,
  'graph-in-source': (uri) => ({
    title: l10n.t('Fetch Graph'),
    run: () => commands.executeCommand(commandIds.fetchGraph, uri),
  }),
  'workspace-untrusted': () => ({
    title: l10n.t('Manage Trust'),
    run: () => commands.executeCommand('workbench.trust.manage'),
  }),
};

function setSecret(): Action {
  return { title: l10n.t('Set Secret…'), run: () => commands.executeCommand(commandIds.setSecret) };
}

/**
 * Shows cause, position and remedy of a failure. Cancelled operations are not reported.
 * @param first buttons before the standard ones.
 */
export async function showFailure(
  failure: Failure,
  uri: Uri,
  intro = '',
  first: readonly Action[] = [],
): Promise<void> {
  if (failure.code === 'cancelled') return;
  const actions = [...first, ...failureActions(failure, uri)];
  const text = [`${intro}${sentence(failure.message)}`, failure.remedy].filter((part) => part !== undefined).join(' ');
  const chosen = await showErrorMessage(text, ...actions.map(({ title }) => title));
  await actions.find(({ title }) => title === chosen)?.run();
}

/** Offers only the remedy, for failures already displayed. */
export async function offerRemedy(failure: Failure, uri?: Uri): Promise<void> {
  const remedy = remedies[failure.code]?.(uri);
  if (!remedy) return;
  const chosen = await showErrorMessage(failure.message, remedy.title);
  if (chosen === remedy.title) await remedy.run();
}

function failureActions({ code, file, range }: Failure, uri: Uri): readonly Action[] {
  const remedy = remedies[code]?.(uri);
  const place = file === undefined ? uri : Uri.file(file);
  const start = { line: 0, character: 0 };
  const goTo: Action = {
    title: l10n.t('Go to Problem'),
    run: () => revealRange(place, range ?? { start, end: start }),
  };
  const showLog: Action = { title: l10n.t('Show Log'), run: () => commands.executeCommand(commandIds.showLog) };
  const hasPlace = range !== undefined || file !== undefined;
  return [...(remedy ? [remedy] : []), ...(hasPlace ? [goTo] : []), showLog];
}
