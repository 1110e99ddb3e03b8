import { Uri, commands, l10n } from 'vscode';
import type { FailureCode } from '../../protocol/failure-codes.ts';
import type { Failure } from '../../protocol/query-results.ts';
import { commandIds } from './command-ids.ts';
import { revealRange } from './reveal-range.ts';
import { sentence } from '../../protocol/sentence.ts';
import { showErrorMessage } from './messages.ts';

/** Runs again what has failed. */
type Again = () => Thenable<unknown>;

/** A notification button. */
export interface Action {
  readonly title: string;
  run(): Thenable<unknown>;
}

/** The remedy of a failure, as a button next to the one that opens its position. */
const remedies: Readonly<Partial<Record<FailureCode, (uri: Uri | undefined, again: Again | undefined) => Action>>> = {
  'secret-missing': (_uri, again) => setSecretAction(again),
  'secret-not-allowed': () => ({
    title: l10n.t('Manage Allowed Hosts…'),
    run: () => commands.executeCommand(commandIds.manageAllowedHosts),
  }),
  'authentication-failed': (_uri, again) => setSecretAction(again),
  'graph-in-source': (uri) => ({
    title: l10n.t('Fetch Graph'),
    run: () => commands.executeCommand(commandIds.fetchGraph, uri),
  }),
  'workspace-untrusted': () => ({
    title: l10n.t('Manage Trust'),
    run: () => commands.executeCommand('workbench.trust.manage'),
  }),
};

function setSecretAction(again: Again | undefined): Action {
  const run = async (): Promise<void> => {
    if (await setSecret()) await again?.();
  };
  return { title: l10n.t('Set Secret…'), run };
}

/** Asks for a secret and stores it; resolves to whether one was entered. */
export async function setSecret(): Promise<boolean> {
  return (await commands.executeCommand<boolean | undefined>(commandIds.setSecret)) === true;
}

interface FailureContext {
  /** Before the message. */
  readonly intro?: string;
  /** Buttons before the standard ones. */
  readonly first?: readonly Action[];
  /** Called once the failure is remedied. */
  readonly again?: Again;
}

/** Shows cause, position and remedy of a failure. Cancelled operations are not reported. */
export async function showFailure(
  failure: Failure,
  uri: Uri,
  { intro = '', first = [], again }: FailureContext = {},
): Promise<void> {
  if (failure.code === 'cancelled') return;
  const actions = [...first, ...failureActions(failure, uri, again)];
  const text = [`${intro}${sentence(failure.message)}`, failure.remedy].filter((part) => part !== undefined).join(' ');
  const chosen = await showErrorMessage(text, ...actions.map(({ title }) => title));
  await actions.find(({ title }) => title === chosen)?.run();
}

/**
 * Offers only the remedy, for failures already displayed.
 * @param again called once the failure is remedied.
 */
export async function offerRemedy(failure: Failure, uri: Uri | undefined, again?: Again): Promise<void> {
  const remedy = remedies[failure.code]?.(uri, again);
  if (!remedy) return;
  const chosen = await showErrorMessage(failure.message, remedy.title);
  if (chosen === remedy.title) await remedy.run();
}

function failureActions({ code, file, range }: Failure, uri: Uri, again: Again | undefined): readonly Action[] {
  const remedy = remedies[code]?.(uri, again);
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
