import { TabInputCustom, type TextEditor, Uri, l10n, window, workspace } from 'vscode';
import { canvasViewType } from './command-ids.ts';
import { showInformationMessage } from './messages.ts';

/** The active entity graph, as text or as canvas. */
export function activeGraph(): Uri | undefined {
  const editor = window.activeTextEditor;
  if (editor && isGraph(editor)) return editor.document.uri;
  const input: unknown = window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof TabInputCustom && input.viewType === canvasViewType) return input.uri;
  return undefined;
}

/** The graph of a command: its argument, the active one, the only visible one, else the user's choice. */
export async function chooseGraph(argument: unknown): Promise<Uri | undefined> {
  if (argument instanceof Uri) return argument;
  // Code lenses pass the URI as text.
  if (typeof argument === 'string') return Uri.parse(argument);
  // Views pass their tree items.
  if (isItem(argument)) return argument.resourceUri;
  const active = activeGraph();
  if (active) return active;
  const visible = window.visibleTextEditors.filter(isGraph);
  if (visible.length === 1) return visible[0]?.document.uri;
  return pickGraph();
}

function isItem(argument: unknown): argument is { readonly resourceUri: Uri } {
  return (
    typeof argument === 'object' &&
    argument !== null &&
    'resourceUri' in argument &&
    argument.resourceUri instanceof Uri
  );
}

async function pickGraph(): Promise<Uri | undefined> {
  const files = await workspace.findFiles('**/*.entity.{yaml,yml,json}', '**/node_modules/**');
  if (files.length === 0) {
    void showInformationMessage(l10n.t('There is no entity graph (*.entity.yaml) in this workspace yet.'));
    return undefined;
  }
  const items = files.map((uri) => ({ label: workspace.asRelativePath(uri), uri }));
  items.sort((left, right) => left.label.localeCompare(right.label));
  // The walkthrough may take the focus while its page loads.
  const options = { placeHolder: l10n.t('Entity graph'), ignoreFocusOut: true };
  return (await window.showQuickPick(items, options))?.uri;
}

export function isGraph({ document }: TextEditor): boolean {
  return document.languageId === 'entity-graph';
}
