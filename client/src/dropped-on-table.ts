import { Uri, commands, env, l10n, workspace } from 'vscode';
import type { FromWebview } from '../../protocol/webview-messages.ts';
import { commandIds } from './command-ids.ts';
import { isDataFile } from './data-files.ts';
import { showWarningMessage } from './messages.ts';

type DroppedFiles = Extract<FromWebview, { type: 'dropFiles' }>;

/** Imports dropped configurations, and makes a process map of each data file, which may ask a question. */
export async function takeDropped({ uris, texts, others }: DroppedFiles): Promise<void> {
  const given = uris.map((uri) => Uri.parse(uri));
  const files = given.flatMap((uri) => ownFile(uri, env.remoteName) ?? []);
  const unknown = [...others, ...given.filter((uri) => !ownFile(uri, env.remoteName)).map(nameOf)];
  const areData = await Promise.all(files.map(isData));
  const configurations = files.filter((_, index) => !areData[index]);
  if (configurations.length + texts.length > 0)
    await commands.executeCommand(commandIds.importConfiguration, undefined, configurations, texts);
  for (const file of files.filter((_, index) => areData[index]))
    await commands.executeCommand(commandIds.processMapOfFile, file);
  if (unknown.length > 0) {
    const text = l10n.t(
      'The path of {0} is unknown here. Drag data files from the Explorer of VS Code, where their menu has Process Map from This File, too.',
      unknown.join(', '),
    );
    void showWarningMessage(text);
  } else if (files.length + texts.length === 0) {
    const text = l10n.t(
      'Nothing was dropped that can be read. Drag data files or entity graphs from the Explorer of VS Code.',
    );
    void showWarningMessage(text);
  }
}

/**
 * A file that was dropped, as the extension reads it; undefined where it cannot. In a remote window, files of the remote
 * have the scheme `vscode-remote` for pages, and `file` for extensions; what pages call `file` is on the other machine.
 */
export function ownFile(uri: Uri, remoteName: string | undefined): Uri | undefined {
  if (remoteName === undefined) return uri.scheme === 'file' ? uri : undefined;
  const isOwn = uri.scheme === 'vscode-remote' && uri.authority.split('+')[0] === remoteName;
  return isOwn ? Uri.file(uri.path) : undefined;
}

function nameOf({ path }: Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** JSON is data, unless it is an entity graph. */
async function isData(file: Uri): Promise<boolean> {
  if (!isDataFile(file)) return false;
  if (!/\.json$/i.test(file.path)) return true;
  const text = new TextDecoder().decode(await workspace.fs.readFile(file));
  return !(/"dataSource"\s*:/.test(text) && /"elements"\s*:/.test(text));
}
