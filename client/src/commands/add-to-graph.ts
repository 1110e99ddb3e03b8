import { Uri, commands, l10n, window, workspace } from 'vscode';
import { chooseDataObject } from '../choose-data-object.ts';
import { commandIds } from '../command-ids.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';

/** Adds a data object to an entity graph as an unconfigured element. */
export const addToGraph: Command = async ({ language, entities, writer }, [given]) => {
  const node = await chooseDataObject(language, given, l10n.t('Add to Entity Graph'));
  if (!node) return;
  const { source, object } = node;
  const rows = await entities.rows();
  // Another sources file may have a different source of this name. Graphs of this source come first.
  const graphs = rows
    .filter(({ sourcesUri }) => sourcesUri === source.uri)
    .toSorted((one, other) => Number(other.dataSource === source.name) - Number(one.dataSource === source.name));
  const items = [
    ...graphs.map(({ name, path, uri, dataSource }) => ({
      label: name,
      description: dataSource === source.name ? path : `${path} · ${dataSource}`,
      uri,
    })),
    { label: l10n.t('$(add) New Entity Graph…'), description: '', uri: undefined },
  ];
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Add {0} to Entity Graph', object.name),
    placeHolder: l10n.t('Entity graph that gets an element for it'),
    matchOnDescription: true,
  });
  if (!chosen) return;
  if (chosen.uri === undefined) {
    await commands.executeCommand(commandIds.newEntityFromObject, node);
    return;
  }
  const uri = Uri.parse(chosen.uri);
  const document = await workspace.openTextDocument(uri);
  const intent = { kind: 'addElement', dataObject: object.name, dataSource: source.name } as const;
  const outcome = await writer.write(document, () =>
    language.request('entityGraph/edit', { uri: uri.toString(), intent }),
  );
  if (!outcome.ok) return showFailure(outcome.error, uri);
  await commands.executeCommand(commandIds.openCanvas, uri);
};
