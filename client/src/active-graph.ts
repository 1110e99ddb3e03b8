import { type Tab, TabInputCustom, TabInputText, type TextEditor, Uri, l10n, window, workspace } from 'vscode';
import { canvasViewType } from './command-ids.ts';
import { showInformationMessage } from './messages.ts';

/** The active entity graph, as text or as canvas. */
export function activeGraph(): Uri | undefined {
  const editor = window.activeTextEditor;
  if (editor && isGraph(editor)) return editor.document.uri;
  return activeCanvas();
}

/** Whether the canvas of a graph is the active editor. */
export function isOnCanvas(uri: Uri): boolean {
  return activeCanvas()?.toString() === uri.toString();
}

function activeCanvas(): Uri | undefined {
  const input: unknown = window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof TabInputCustom && input.viewType === canvasViewType ? input.uri : undefined;
}

/** The graph of a command: its argument, the active one, the only visible or open one, else the user's choice. */
export async function chooseGraph(argument: unknown): Promise<Uri | undefined> {
  if (argument instanceof Uri) return argument;
  // Code lenses pass the URI as text.
  if (typeof argument === 'string') return Uri.parse(argument);
  // Views pass their tree items.
  if (isItem(argument)) return argument.resourceUri;
  const active = activeGraph();
  if (active) return active;
  // Results or SQL are in front.
  const groups = window.tabGroups.all;
  return (
    onlyGraphOf(groups.flatMap(({ activeTab }) => activeTab ?? [])) ??
    onlyGraphOf(groups.flatMap(({ tabs }) => tabs)) ??
    pickGraph()
  );
}

/** The graph that tabs show as text or canvas, unless they show several. */
function onlyGraphOf(tabs: readonly Tab[]): Uri | undefined {
  const graphs = tabs.flatMap(({ input }) =>
    (input instanceof TabInputText && isGraphPath(input.uri)) ||
    (input instanceof TabInputCustom && input.viewType === canvasViewType)
      ? [input.uri]
      : [],
  );
  const [only, ...others] = new Map(graphs.map((uri) => [uri.toString(), uri])).values();
  return others.length === 0 ? only : undefined;
}

/** Whether the name of a file is that of an entity graph. */
export function isGraphPath({ path }: Uri): boolean {
  return /\.entity\.(?:ya?ml|json)$/i.test(path);
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
