import { Uri, commands, l10n, window } from 'vscode';
import { chooseDataObject } from '../choose-data-object.ts';
import { commandIds } from '../command-ids.ts';
import { draftEntity } from '../draft-entity.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';
import { fileNameProblem } from './copy-graph.ts';

/** Generates an entity graph of one data object, beside the sources file. */
export const newEntityFromObject: Command = async ({ language, entities }, [given]) => {
  const chosen = await chooseDataObject(language, given, l10n.t('New Entity Graph from Data Object'));
  if (!chosen) return;
  const { source, object } = chosen;
  const proposal = object.name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-');
  const name = await window.showInputBox({
    title: l10n.t('New Entity Graph from {0}', object.name),
    prompt: l10n.t('Name of the new file'),
    value: `${proposal}.entity.yaml`,
    valueSelection: [0, proposal.length],
    validateInput: fileNameProblem,
  });
  if (name === undefined) return;
  const target = Uri.joinPath(Uri.parse(source.uri), '..', name);
  const wanted = { dataSource: source.name, objects: [object.name] };
  const outcome = await draftEntity(language, target, wanted, l10n.t('New Entity Graph from {0}', object.name));
  if (outcome === 'dismissed') return;
  if (!outcome.ok) return showFailure(outcome.error, target);
  entities.refresh();
  await commands.executeCommand(commandIds.openCanvas, target);
};
