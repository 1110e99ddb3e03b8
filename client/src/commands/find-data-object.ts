import { l10n, window } from 'vscode';
import type { DataSourceNode } from '../data-source-items.ts';
import { objectFacts } from '../object-facts.ts';
import type { Command } from './command.ts';

/** Finds a data object by name in all data sources, and shows it in the view. */
export const findDataObject: Command = async ({ language, dataSources }) => {
  const pick = window.createQuickPick<{ label: string; description: string; detail?: string; node: DataSourceNode }>();
  pick.placeholder = l10n.t('Name of a table, view, file or endpoint');
  pick.matchOnDescription = true;
  pick.busy = true;
  pick.onDidAccept(() => {
    const [chosen] = pick.selectedItems;
    pick.hide();
    if (chosen) void dataSources.reveal(chosen.node);
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
  const { sources } = await language.request('entityGraph/allDataSources', {});
  // Sources answer one after the other: what is known can be chosen from at once.
  await Promise.all(
    sources.map(async (source) => {
      const outcome = await language.request('entityGraph/sourceObjects', { uri: source.uri, dataSource: source.name });
      if (!outcome.ok) return;
      const found = outcome.value.objects.map((object) => ({
        label: object.name,
        description: [source.name, ...objectFacts(object).slice(0, 3)].join(' · '),
        ...(object.comment === undefined ? {} : { detail: object.comment }),
        node: { kind: 'object', source, object } as const,
      }));
      pick.items = [...pick.items, ...found];
    }),
  );
  pick.busy = false;
};
