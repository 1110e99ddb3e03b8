import { type Disposable, StatusBarAlignment, ThemeColor, type Uri, window, workspace } from 'vscode';
import type { GraphStatusView } from '../../protocol/language-requests.ts';
import { activeGraph } from './active-graph.ts';
import { commandIds } from './command-ids.ts';
import type { GraphLanguage } from './language-client.ts';

/** Says whether the entity graph in front is imported; hidden beside other files. */
export interface ImportStatusBar extends Disposable {
  /** After an import has ended. */
  refresh(): void;
}

export function createImportStatusBar(language: GraphLanguage, onError: (error: unknown) => void): ImportStatusBar {
  const item = window.createStatusBarItem('entityGraph.status', StatusBarAlignment.Right, 100);
  item.name = 'Entity Graph';
  /** Steps of the imports that run now, by file. */
  const running = new Map<string, string>();
  let turn = 0;

  async function update(): Promise<void> {
    turn += 1;
    const mine = turn;
    const uri = activeGraph();
    if (!uri) return showWithoutGraph();
    const step = running.get(uri.toString());
    if (step !== undefined) return show(runningLook(step));
    if (item.text === '') item.text = 'Entity Graph';
    item.show();
    const status = await language.request('entityGraph/status', { uri: uri.toString() });
    // The user has moved on to another file meanwhile.
    if (mine === turn) show(statusLook(status), uri);
  }

  function showWithoutGraph(): void {
    if (window.activeTextEditor?.document.languageId === 'entity-sources') {
      show({ text: '$(database) Entity Graph', tooltip: 'Data sources of entity graphs' });
    } else item.hide();
  }

  function show({ text, tooltip, color }: Look, uri?: Uri): void {
    item.text = text;
    item.tooltip = tooltip;
    item.color = color === undefined ? undefined : new ThemeColor(color);
    item.command = uri && { title: 'Import', command: commandIds.import, arguments: [uri] };
    item.show();
  }

  const refresh = (): void => void update().catch(onError);
  const subscriptions = [
    window.onDidChangeActiveTextEditor(refresh),
    window.tabGroups.onDidChangeTabs(refresh),
    workspace.onDidSaveTextDocument(refresh),
    language.onNotification('entityGraph/importProgress', ({ uri, progress }) => {
      if (progress.step === 'Import Done') running.delete(uri);
      else running.set(uri, progress.step);
      refresh();
    }),
  ];
  refresh();
  return {
    refresh() {
      running.clear();
      refresh();
    },
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
      item.dispose();
    },
  };
}

interface Look {
  readonly text: string;
  readonly tooltip: string;
  readonly color?: string;
}

function runningLook(step: string): Look {
  return { text: `$(sync~spin) Entity Graph: ${step}`, tooltip: `Importing: ${step}` };
}

/** The icon's shape tells the states apart without colour. */
export function statusLook(status: GraphStatusView | null): Look {
  if (status?.status !== 'Imported') {
    const progress = status?.progress ? `\n${status.progress}` : '';
    return {
      text: '$(circle-outline) Entity Graph: Not Imported',
      tooltip: `Not imported yet. Click to import.${progress}`,
    };
  }
  const when = status.imported === null ? '' : ` ${new Date(status.imported).toLocaleString()}`;
  const last = status.progress && status.progress !== 'Import Done' ? `\n${status.progress}` : '';
  return status.modifiedSinceImport
    ? {
        text: '$(circle-filled) Entity Graph: Imported, Modified Since',
        tooltip: `Imported${when}, modified since. Click to import again.${last}`,
      }
    : { text: '$(circle-filled) Entity Graph: Imported', tooltip: `Imported${when}. Click to import again.${last}` };
}
