import { Uri, type WebviewPanel } from 'vscode';

/** The tab icon of the extension; VS Code needs separate files for light and dark themes. */
export function panelIcon(extensionUri: Uri): NonNullable<WebviewPanel['iconPath']> {
  const icon = (theme: string): Uri => Uri.joinPath(extensionUri, `client/icons/entity-graph-${theme}.svg`);
  return { light: icon('light'), dark: icon('dark') };
}
