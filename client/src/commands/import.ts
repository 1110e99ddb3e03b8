import { ProgressLocation, type Uri, commands, env, window } from 'vscode';
import type { ImportProgress, ImportSummary } from '../../../protocol/import-progress.ts';
import type { Failure } from '../../../protocol/query-results.ts';
import { chooseGraph } from '../active-graph.ts';
import { commandIds } from '../command-ids.ts';
import { earlierGraphText, fileName, importDoneMessage, importStoppedIntro, summaryLines } from '../import-messages.ts';
import { showFailure } from '../show-failure.ts';
import type { ClientParts, Command } from './command.ts';

/** Builds the event knowledge graph of a file, with progress, and says how it ended. */
export const importGraph: Command = async (parts, [file]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const summary = await runImport(parts, uri).finally(() => {
    parts.statusBar.refresh();
    parts.entities.refresh();
  });
  for (const line of summaryLines(uri, summary)) parts.log.info(line);
  if (summary.status === 'imported') await showDone(parts, uri, summary);
  else if (summary.error) await showStopped(parts, uri, summary, summary.error);
};

function runImport({ language }: ClientParts, uri: Uri): Promise<ImportSummary> {
  const run = async (report: (progress: ImportProgress) => void, cancel: CancelToken): Promise<ImportSummary> => {
    const subscription = language.onNotification('entityGraph/importProgress', (step) => {
      if (step.uri === uri.toString()) report(step.progress);
    });
    try {
      return await language.request('entityGraph/import', { uri: uri.toString() }, cancel);
    } finally {
      subscription.dispose();
    }
  };
  const options = {
    location: ProgressLocation.Notification,
    title: `Importing ${fileName(uri)}`,
    cancellable: true,
  };
  return Promise.resolve(
    window.withProgress(options, (progress, token) => {
      let done = 0;
      return run((step) => {
        // VS Code adds increments up; steps without a share leave the bar where it is.
        const share = Math.max(done, (step.fraction ?? 0) * 100);
        progress.report({ message: progressText(step), increment: share - done });
        done = share;
      }, token);
    }),
  );
}

type CancelToken = Parameters<ClientParts['language']['request']>[2];

function progressText({ step, message, rows }: ImportProgress): string {
  const count = rows === undefined ? '' : `, ${rows.toLocaleString('en')} rows`;
  return `${step}: ${message}${count}`;
}

/** Says too that an earlier graph is not lost. */
async function showStopped({ language }: ClientParts, uri: Uri, summary: ImportSummary, error: Failure): Promise<void> {
  const status = await language.request('entityGraph/status', { uri: uri.toString() });
  const earlier = status?.status === 'Imported' ? earlierGraphText(status.imported) : '';
  const { remedy } = error;
  const remedies = [remedy, earlier].filter((text) => text !== undefined && text !== '').join(' ');
  const told: Failure = remedies === '' ? error : { ...error, remedy: remedies };
  await showFailure(told, uri, importStoppedIntro(summary));
}

async function showDone({ log }: ClientParts, uri: Uri, summary: ImportSummary): Promise<void> {
  const actions = ['Show Details', 'Open Canvas', ...(summary.store === undefined ? [] : ['Copy Path'])];
  const chosen = await window.showInformationMessage(importDoneMessage(summary), ...actions);
  if (chosen === 'Show Details') log.show();
  if (chosen === 'Open Canvas') await commands.executeCommand(commandIds.openCanvas, uri);
  if (chosen === 'Copy Path' && summary.store !== undefined) await env.clipboard.writeText(summary.store);
}
