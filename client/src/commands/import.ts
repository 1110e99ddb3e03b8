import { EventEmitter, ProgressLocation, Uri, commands, env, l10n, window } from 'vscode';
import type { RunningImportView } from '../../../protocol/entities-table.ts';
import type { ImportOutcome, ImportedGraph } from '../../../protocol/import-progress.ts';
import type { ImportRequest } from '../../../protocol/import-request.ts';
import type { Failure } from '../../../protocol/query-results.ts';
import { chooseGraph } from '../active-graph.ts';
import { acceptingGuards, commandIds } from '../command-ids.ts';
import { runningText } from '../entities-view.ts';
import {
  type ImportWithoutGraph,
  brokenTexts,
  earlierGraphText,
  fileName,
  importDoneMessage,
  importStoppedIntro,
  outcomeLines,
} from '../import-messages.ts';
import { type Screen, isSeen, notifyWhenHidden } from '../notify-when-hidden.ts';
import { settled } from '../progress-when-slow.ts';
import { type Action, offerRemedy, showFailure } from '../show-failure.ts';
import type { ClientParts, Command } from './command.ts';
import { showInformationMessage, showWarningMessage, withProgress } from '../messages.ts';

/**
 * Builds the event knowledge graph of a file, shows progress, and reports the result. The page *Import* may add that broken
 * guards are accepted.
 */
export const importGraph: Command = (parts, [file, how]) =>
  importAndReport(parts, file, { kind: 'build', ...(how === acceptingGuards && { acceptsGuards: true }) });

/** Imports without the row cache. */
export const importEverything: Command = (parts, [file]) =>
  importAndReport(parts, file, { kind: 'build', isFull: true });

/** Imports with kept rows of data sources that cannot be reached. */
export const importWithKeptRows: Command = (parts, [file]) =>
  importAndReport(parts, file, { kind: 'build', usesKeptRows: true });

/** Copies a graph built inside its source to this machine, so that it can be viewed and exported. */
export const fetchGraph: Command = (parts, [file]) => importAndReport(parts, file, { kind: 'fetch' });

/** Imports as requested, and reports the result. */
export async function importAndReport(parts: ClientParts, file: unknown, request: ImportRequest): Promise<void> {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const outcome = await importWithProgress(parts, uri, request);
  if (outcome.status === 'imported') await showDone(parts, uri, outcome, request);
  else await showStopped(parts, uri, outcome, () => importAndReport(parts, uri, request));
}

/** Imports, and shows the process map instead of a message; says why there is none. */
export async function importUntilMap(parts: ClientParts, uri: Uri): Promise<ImportOutcome['status']> {
  const outcome = await importWithProgress(parts, uri);
  if (outcome.status === 'imported') parts.eventGraphs.open(uri, { tab: 'map' });
  else if (outcome.status !== 'cancelled') void showStopped(parts, uri, outcome, () => importUntilMap(parts, uri));
  return outcome.status;
}

/** Stops a running or waiting import. */
export const cancelImport: Command = async ({ imports }, [file]) => {
  const uri =
    file === undefined ? await chooseRunning([...imports.all().keys()]) : (await chooseGraph(file))?.toString();
  if (uri !== undefined) imports.cancel(uri);
};

/** Running and waiting imports, as URIs. */
async function chooseRunning(running: readonly string[]): Promise<string | undefined> {
  if (running.length <= 1) return running[0];
  const items = running.map((uri) => ({ label: fileName(Uri.parse(uri)), uri }));
  const placeHolder = l10n.t('Which import');
  return (await window.showQuickPick(items, { title: l10n.t('Cancel Import'), placeHolder }))?.uri;
}

/** Runs an import; shows a notification when no visible view shows its progress. */
async function importWithProgress(
  parts: ClientParts,
  uri: Uri,
  request: ImportRequest = { kind: 'build' },
): Promise<ImportOutcome> {
  const work = parts.imports.run(uri, request);
  const outcome = await notifyWhenHidden(screensOf(parts, uri), work, () => notifyProgress(parts, uri, work));
  told(parts, uri, outcome);
  return outcome;
}

/** Runs several imports with one notification for all. A dismissed secret or login stops the imports that need it. */
export async function importSeveral(
  parts: ClientParts,
  uris: readonly Uri[],
): Promise<readonly { readonly uri: Uri; readonly outcome: ImportOutcome }[]> {
  let ended = 0;
  const onEnd = new EventEmitter<void>();
  const work = parts.prompts.during(() =>
    Promise.all(
      uris.map(async (uri) => {
        const outcome = await parts.imports.run(uri);
        told(parts, uri, outcome);
        ended += 1;
        onEnd.fire();
        return { uri, outcome };
      }),
    ),
  );
  void work.finally(() => onEnd.dispose());
  return notifyWhenHidden(screensOf(parts), work, () => {
    const title = l10n.t('Importing {0} entity graphs', uris.length);
    void withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, (progress, token) => {
      token.onCancellationRequested(() => uris.forEach((uri) => parts.imports.cancel(uri.toString())));
      let reported = 0;
      const report = (): void => {
        const increment = ((ended - reported) * 100) / uris.length;
        reported = ended;
        progress.report({ message: l10n.t('{0} of {1}', ended, uris.length), increment });
      };
      onEnd.event(report);
      // Some may have finished while the picker was open.
      if (ended > 0) report();
      return settled(work);
    });
  });
}

function told({ entities, importPages, log }: ClientParts, uri: Uri, outcome: ImportOutcome): void {
  importPages.ended(uri.toString(), outcome);
  entities.refresh();
  for (const { level, text } of outcomeLines(uri, outcome)) log[level](text);
}

/** The table, the tree and the page *Import* of the graph also show progress. */
function screensOf({ entitiesPanel, entitiesView, importPages }: ClientParts, uri?: Uri): readonly Screen[] {
  return [entitiesPanel, entitiesView, ...(uri ? [importPages.screen(uri.toString())] : [])];
}

function notifyProgress({ imports }: ClientParts, uri: Uri, work: Promise<ImportOutcome>): void {
  const options = {
    location: ProgressLocation.Notification,
    title: l10n.t('Importing {0}', fileName(uri)),
    cancellable: true,
  };
  void withProgress(options, (progress, token) => {
    token.onCancellationRequested(() => imports.cancel(uri.toString()));
    let done = 0;
    const report = (): void => {
      const view = imports.of(uri.toString());
      if (!view) return;
      // VS Code sums up increments; steps without a share do not move the bar.
      const share = Math.max(done, (view.fraction ?? 0) * 100);
      progress.report({ message: progressText(view), increment: share - done });
      done = share;
    };
    const subscription = imports.onDidChange(report);
    report();
    return settled(work).finally(() => subscription.dispose());
  });
}

function progressText(view: RunningImportView): string {
  const { state, message } = view;
  return state === 'running' && message !== undefined ? `${runningText(view)}: ${message}` : runningText(view);
}

/** States that an earlier graph is kept. */
async function showStopped(
  parts: ClientParts,
  uri: Uri,
  outcome: ImportWithoutGraph,
  again: () => Promise<unknown>,
): Promise<void> {
  const { language, importPages } = parts;
  // The page has the reason in full; a remedy outside of it gets a button.
  if (importPages.screen(uri.toString()).visible) return offerRemedy(outcome.error, uri, again);
  const status = await language.request('entityGraph/status', { uri: uri.toString() });
  const earlier = status?.status === 'Imported' ? earlierGraphText(status.imported) : '';
  const { error } = outcome;
  const { remedy } = error;
  const remedies = [remedy, earlier].filter((text) => text !== undefined && text !== '').join(' ');
  const told: Failure = remedies === '' ? error : { ...error, remedy: remedies };
  const keep: Action = {
    title: l10n.t('Import with Kept Rows'),
    run: () => commands.executeCommand(commandIds.importWithKeptRows, uri),
  };
  const anyway: Action = {
    title: l10n.t('Import Anyway'),
    run: () => importGraph(parts, [uri, acceptingGuards]),
  };
  const first = [...(error.hasKeptRows ? [keep] : []), ...(error.code === 'guard-broken' ? [anyway] : [])];
  await showFailure(told, uri, { intro: importStoppedIntro(outcome), first, again });
}

/** The table and the tree already show it, but not that something is broken. */
async function showDone(parts: ClientParts, uri: Uri, imported: ImportedGraph, { kind }: ImportRequest): Promise<void> {
  const isBroken = kind !== 'fetch' && brokenTexts(imported).length > 0;
  if (!isBroken && isSeen(screensOf(parts, uri))) return;
  const details = l10n.t('Show Details');
  const graph = l10n.t('Open Event Graph');
  const rules = l10n.t('Show Rules');
  const path = l10n.t('Copy Path');
  const text = kind === 'fetch' ? l10n.t('The graph is on this machine now.') : importDoneMessage(imported);
  const chosen = isBroken
    ? await showWarningMessage(text, rules, details)
    : await showInformationMessage(text, graph, details, ...(imported.store === undefined ? [] : [path]));
  if (chosen === details) parts.log.show();
  if (chosen === graph) await commands.executeCommand(commandIds.openEventGraph, uri);
  if (chosen === rules) parts.eventGraphs.open(uri, { tab: 'rules' });
  if (chosen === path && imported.store !== undefined) await env.clipboard.writeText(imported.store);
}
