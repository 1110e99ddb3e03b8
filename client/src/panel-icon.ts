import { Uri, type WebviewPanel } from 'vscode';

/** The sign of the extension on a tab; a picture there does not take the theme's colour by itself. */
export function panelIcon(extensionUri: Uri): NonNullable<WebviewPanel['iconPath']> {
  const icon = (theme: string): Uri => Uri.joinPath(extensionUri, `client/icons/entity-graph-${theme}.svg`);
  return { light: icon('light'), dark: icon('dark') };
}
