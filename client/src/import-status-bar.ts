import {
  type Disposable,
  StatusBarAlignment,
  Uri,
  type Command as VsCodeCommand,
  l10n,
  window,
  workspace,
} from 'vscode';
import { statusIcons } from '../../protocol/entity-status-icons.ts';
import type { RunningImportView } from '../../protocol/entities-table.ts';
import type { ImportSlice } from '../../protocol/import-request.ts';
import type { GraphStatusView } from '../../protocol/requests/graph-requests.ts';
import type { ActiveGraphStatus } from './active-graph-status.ts';
import { commandIds } from './command-ids.ts';
import { runningText } from './entities-view.ts';
import { fileName } from './import-messages.ts';
import { restrictedMessage } from './restricted-mode.ts';
import type { RunningImports } from './running-imports.ts';

/** Status bar item for the active entity graph and running imports; hidden otherwise. */
export function createImportStatusBar(active: ActiveGraphStatus, imports: RunningImports): Disposable {
  const item = window.createStatusBarItem('entityGraph.status', StatusBarAlignment.Right, 100);
  item.name = 'Entity Graph';

  function update(): void {
    const running = imports.all();
    if (running.size > 0)
      return show(runningLook(running), { title: l10n.t('Entities'), command: commandIds.openEntities });
    if (!active.current) return showWithoutGraph();
    const { uri, status } = active.current;
    if (status !== undefined && !workspace.isTrusted)
      return show(
        { text: statusLook(status).text, tooltip: restrictedMessage() },
        { title: l10n.t('Manage Trust'), command: 'workbench.trust.manage' },
      );
    if (status !== undefined)
      return show(statusLook(status), { title: l10n.t('Import'), command: commandIds.import, arguments: [uri] });
    if (item.text === '') item.text = 'Entity Graph';
    item.show();
  }

  function showWithoutGraph(): void {
    if (window.activeTextEditor?.document.languageId === 'entity-sources') {
      show({ text: '$(database) Entity Graph', tooltip: l10n.t('Data sources of entity graphs') });
    } else item.hide();
  }

  function show({ text, tooltip }: Look, command?: VsCodeCommand): void {
    item.text = text;
    item.tooltip = tooltip;
    item.command = command;
    item.show();
  }

  const subscriptions = [
    window.onDidChangeActiveTextEditor(update),
    active.onDidChange(update),
    imports.onDidChange(update),
    workspace.onDidGrantWorkspaceTrust(update),
  ];
  update();
  return {
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
      item.dispose();
    },
  };
}

interface Look {
  readonly text: string;
  readonly tooltip: string;
}

function runningLook(running: ReadonlyMap<string, RunningImportView>): Look {
  const lines = [...running].map(([uri, view]) => `${fileName(Uri.parse(uri))}: ${runningText(view)}`);
  const [first] = running.values();
  const what = running.size === 1 && first ? runningText(first) : l10n.t('{0} imports', running.size);
  return { text: `$(sync~spin) Entity Graph: ${what}`, tooltip: lines.join('\n') };
}

/** The icon shape distinguishes states without colour. */
export function statusLook(status: GraphStatusView | null): Look {
  if (status?.status !== 'Imported') {
    const progress = status?.progress ? `\n${status.progress}` : '';
    return {
      text: `$(${statusIcons['not-imported']}) Entity Graph: ${l10n.t('Not Imported')}`,
      tooltip: `${l10n.t('Not imported yet. Click to import.')}${progress}`,
    };
  }
  const when = status.imported === null ? '' : new Date(status.imported).toLocaleString();
  const kept = (status.keptRows ?? []).map(
    ({ dataSource, readAt }) =>
      `\n${l10n.t('Rows of {0}: kept from {1}, as it was down', dataSource, new Date(readAt).toLocaleString())}`,
  );
  const progress = status.progress && status.progress !== 'Import Done' ? `\n${status.progress}` : '';
  const sample = status.slice ? `\n${sliceText(status.slice)}` : '';
  const last = `${sample}${kept.join('')}${progress}`;
  const imported = status.slice ? l10n.t('Sample Imported') : l10n.t('Imported');
  return status.modifiedSinceImport
    ? {
        text: `$(${statusIcons.modified}) Entity Graph: ${l10n.t('Imported, Modified Since')}`,
        tooltip: `${l10n.t('Imported {0}, modified since. Click to import again.', when)}${last}`,
      }
    : {
        text: `$(${statusIcons.imported}) Entity Graph: ${imported}`,
        tooltip: `${l10n.t('Imported {0}. Click to import again.', when)}${last}`,
      };
}

/** Such as `A sample: the first 1,000 rows of each element.` */
function sliceText({ sample }: ImportSlice): string {
  return sample === undefined
    ? l10n.t('A part of the graph, not the whole.')
    : l10n.t('A sample: the first {0} rows of each element.', sample.toLocaleString());
}
