import { ProgressLocation, Uri, commands, window, workspace } from 'vscode';
import { commandIds } from '../command-ids.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';
import { fileNameProblem } from './copy-graph.ts';

/** Asks name and data source, and writes a first graph from the source's timestamps and foreign keys, or an empty one. */
export const newEntity: Command = async ({ language, entities }) => {
  const folder = await chooseFolder();
  if (!folder) return;
  const name = await window.showInputBox({
    title: 'New Entity',
    prompt: 'Name of the entity graph, such as Incident management',
    validateInput: (text) => fileNameProblem(`${fileNameFor(text)}.entity.yaml`),
  });
  if (name === undefined || name.trim() === '') return;
  const target = Uri.joinPath(folder, `${fileNameFor(name)}.entity.yaml`);
  const sources = await language.request('entityGraph/dataSources', { uri: target.toString() });
  if (!sources.ok) return showFailure(sources.error, target);
  const source = await window.showQuickPick(
    sources.value.map(({ name: label, kind }) => ({ label, description: kind })),
    {
      title: 'New Entity',
      placeHolder: sources.value.length === 0 ? 'There is no entity-sources.yaml yet' : 'Data source',
    },
  );
  if (!source) return;
  const start = await window.showQuickPick(
    [
      { label: 'Draft from Timestamps and Foreign Keys', scaffold: true },
      { label: 'Empty', scaffold: false },
    ],
    { title: 'New Entity', placeHolder: 'Start with' },
  );
  if (!start) return;
  if (start.scaffold) {
    const outcome = await window.withProgress(
      { location: ProgressLocation.Notification, title: `Reading ${source.label}`, cancellable: true },
      (_progress, token) =>
        language.request('entityGraph/newGraph', { target: target.toString(), dataSource: source.label }, token),
    );
    if (!outcome.ok) return showFailure(outcome.error, target);
  } else if (!(await writeEmpty(target, name.trim(), source.label))) return;
  entities.refresh();
  await commands.executeCommand(commandIds.openCanvas, target);
};

async function chooseFolder(): Promise<Uri | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length > 1) return (await window.showWorkspaceFolderPick())?.uri;
  if (!folders[0]) void window.showErrorMessage('Open a folder first: the entity graph is a file in it.');
  return folders[0]?.uri;
}

function fileNameFor(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, '-');
}

/** False when there is a file of that name already. */
async function writeEmpty(target: Uri, name: string, dataSource: string): Promise<boolean> {
  const there = await workspace.fs.stat(target).then(
    () => true,
    () => false,
  );
  if (there) {
    void window.showErrorMessage(`${workspace.asRelativePath(target)} exists already. Choose another name.`);
    return false;
  }
  // JSON texts are YAML texts too: any name is safe in them.
  const text = `version: 1\nname: ${JSON.stringify(name)}\ndataSource: ${JSON.stringify(dataSource)}\n`;
  await workspace.fs.writeFile(target, new TextEncoder().encode(text));
  return true;
}
