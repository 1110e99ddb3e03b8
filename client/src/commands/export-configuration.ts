import { Uri, l10n, window, workspace } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import { fileName } from '../import-messages.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';
import { showInformationMessage, showWarningMessage } from '../messages.ts';

/** Writes an entity graph as YAML with comments, or as JSON. */
export const exportConfiguration: Command = async ({ language }, [file]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const title = l10n.t('Export Entity Graph');
  const forms = [
    { label: 'YAML', description: l10n.t('with comments'), format: 'yaml' as const, endings: ['yaml', 'yml'] },
    { label: 'JSON', description: l10n.t('for other programs'), format: 'json' as const, endings: ['json'] },
  ];
  const form = await window.showQuickPick(forms, { title, placeHolder: l10n.t('Format') });
  if (!form) return;
  const name = fileName(uri).replace(/(\.entity)?\.[a-z]+$/i, '');
  const target = await chooseTarget(uri, `${name}.${form.format}`, { [form.label]: form.endings }, title);
  if (!target) return;
  const ending = /\.(json|ya?ml)$/i.exec(target.path)?.[1]?.toLowerCase();
  const format = ending === undefined ? form.format : ending === 'json' ? 'json' : 'yaml';
  const params = { uri: uri.toString(), target: target.toString(), format } as const;
  const outcome = await language.request('entityGraph/exportConfiguration', params);
  if (!outcome.ok) return showFailure(outcome.error, uri);
  void showInformationMessage(l10n.t('The entity graph is in {0}.', outcome.value.file));
};

/** Asks for a file; one that would be another entity graph of the workspace only when that is confirmed. */
async function chooseTarget(
  graph: Uri,
  name: string,
  filters: Record<string, string[]>,
  title: string,
): Promise<Uri | undefined> {
  for (let defaultUri = Uri.joinPath(graph, '..', name); ;) {
    const target = await window.showSaveDialog({ title, defaultUri, filters });
    if (!target || !isEntityGraph(target)) return target;
    const plain = target.with({ path: target.path.replace(/\.entity(\.[a-z]+)$/i, '$1') });
    const [other, anyway] = [l10n.t('Choose Another Name'), l10n.t('Make an Entity Graph')];
    const question = l10n.t('{0} would be another entity graph of this workspace.', fileName(target));
    const detail = l10n.t('Files that end with .entity.yaml, .entity.yml or .entity.json are entity graphs.');
    const chosen = await showWarningMessage(question, { modal: true, detail }, other, anyway);
    if (chosen !== other) return chosen === anyway ? target : undefined;
    defaultUri = plain;
  }
}

function isEntityGraph(target: Uri): boolean {
  return /\.entity\.(ya?ml|json)$/i.test(target.path) && workspace.getWorkspaceFolder(target) !== undefined;
}
