import { type QuickPickItem, QuickPickItemKind, l10n, window } from 'vscode';
import type { NamedQueryView } from '../../../protocol/event-graph.ts';
import { chooseGraph } from '../active-graph.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';

/** Opens the event graph view of a file (process map, timelines, distributions), with `map`, the number of a rule or `{ entity }` as second argument at that. */
export const openEventGraph: Command = async ({ eventGraphs }, [file, place]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  if (typeof place === 'number') eventGraphs.open(uri, { tab: 'rules', rule: place });
  else if (isEntity(place)) eventGraphs.open(uri, { tab: 'timeline', entity: place.entity });
  else eventGraphs.open(uri, place === 'map' ? { tab: place } : {});
};

function isEntity(place: unknown): place is { readonly entity: number } {
  return typeof place === 'object' && place !== null && 'entity' in place && typeof place.entity === 'number';
}

/** Opens an SQL console on the imported graph of a file, with one of its named queries if there are any. */
export const openSqlConsole: Command = async ({ language, sqlConsole }, [file]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const queries = await language.request('entityGraph/namedQueries', { uri: uri.toString() });
  if (!queries.ok) return showFailure(queries.error, uri);
  if (queries.value.length === 0) return sqlConsole.open(uri);
  const chosen = await chooseStatement(queries.value);
  if (chosen) await sqlConsole.open(uri, chosen.sql);
};

interface StatementItem extends QuickPickItem {
  /** Absent: an example. */
  readonly sql?: string;
}

async function chooseStatement(queries: readonly NamedQueryView[]): Promise<StatementItem | undefined> {
  const items: readonly StatementItem[] = [
    { label: l10n.t('$(add) New Statement') },
    { label: l10n.t('Named Queries'), kind: QuickPickItemKind.Separator },
    ...queries.map(({ name, description, sql }) => ({
      label: name,
      ...(description === undefined ? {} : { description }),
      sql,
    })),
  ];
  return window.showQuickPick(items, {
    title: l10n.t('Open SQL Console'),
    placeHolder: l10n.t('A new statement, or a query of the folder queries'),
    matchOnDescription: true,
  });
}

/** Runs the statement at the cursor of an SQL console. */
export const runSql: Command = async ({ sqlConsole }) => {
  const editor = window.activeTextEditor;
  if (editor) await sqlConsole.run(editor.document);
};
