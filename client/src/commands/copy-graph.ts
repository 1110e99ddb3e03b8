import { Uri, l10n, window } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import { fileName } from '../import-messages.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';

/** Copies a graph under another name. */
export const copyGraph: Command = async ({ language, entities }, [file]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const [, base = fileName(uri), ending = '.entity.yaml'] = /^(.*?)(\.entity\.[a-z]+)$/i.exec(fileName(uri)) ?? [];
  const name = await window.showInputBox({
    title: l10n.t('Copy Entity Graph'),
    prompt: l10n.t('Name of the new file'),
    value: `${base}-copy${ending}`,
    valueSelection: [0, base.length + '-copy'.length],
    validateInput: fileNameProblem,
  });
  if (name === undefined) return;
  const target = Uri.joinPath(uri, '..', name);
  const outcome = await language.request('entityGraph/copy', { uri: uri.toString(), target: target.toString() });
  if (!outcome.ok) return showFailure(outcome.error, uri);
  entities.refresh();
  await window.showTextDocument(target);
};

/** Why a name is invalid; undefined when valid. */
export function fileNameProblem(name: string): string | undefined {
  if (/[\\/:*?"<>|]/.test(name)) return l10n.t('A file name cannot hold any of {0}', '\\ / : * ? " < > |');
  return /.\.entity\.(ya?ml|json)$/i.test(name)
    ? undefined
    : l10n.t('Let it end with .entity.yaml, .entity.yml or .entity.json.');
}
