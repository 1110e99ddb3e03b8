import { Uri, l10n, window } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import { fileName } from '../import-messages.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';
import { showInformationMessage } from '../messages.ts';

/** Writes the configuration of a graph as YAML with comments, or as JSON. */
export const exportConfiguration: Command = async ({ language }, [file]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const target = await window.showSaveDialog({
    title: l10n.t('Export Configuration'),
    defaultUri: Uri.joinPath(uri, '..', fileName(uri).replace(/\.entity\.[a-z]+$/i, '-export.entity.yaml')),
    filters: { YAML: ['yaml', 'yml'], JSON: ['json'] },
  });
  if (!target) return;
  const format = target.path.toLowerCase().endsWith('.json') ? 'json' : 'yaml';
  const params = { uri: uri.toString(), target: target.toString(), format } as const;
  const outcome = await language.request('entityGraph/exportConfiguration', params);
  if (!outcome.ok) return showFailure(outcome.error, uri);
  void showInformationMessage(l10n.t('The configuration is in {0}.', outcome.value.file));
};
