import { Uri, l10n, window } from 'vscode';
import type { DataObjectView, DataObjectsView } from '../../protocol/canvas-intents.ts';
import type { DataSourceView } from '../../protocol/requests/source-requests.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import { chooseDataSource } from './choose-data-source.ts';
import type { DataSourceNode } from './data-source-items.ts';
import type { GraphLanguage } from './language-client.ts';
import { objectFacts } from './object-facts.ts';
import { progressWhenSlow } from './progress-when-slow.ts';
import { reportedRequest } from './reported-request.ts';
import { showFailure } from './show-failure.ts';
import { showInformationMessage } from './messages.ts';

/** A data object with its source. */
export type DataObjectNode = Extract<DataSourceNode, { readonly kind: 'object' }>;

/**
 * The data object of the selected row, else one chosen by the user after its source; undefined when there is none or
 * the choice is dismissed.
 * @param title of the pickers: the command's name.
 */
export async function chooseDataObject(
  language: GraphLanguage,
  given: unknown,
  title: string,
): Promise<DataObjectNode | undefined> {
  const node = given as DataSourceNode | undefined;
  if (node?.kind === 'object') return node;
  const source = await chooseDataSource(language, given, { title });
  if (!source) return undefined;
  return chooseObjectOf(language, source, title);
}

async function chooseObjectOf(
  language: GraphLanguage,
  source: DataSourceView,
  title: string,
): Promise<DataObjectNode | undefined> {
  const outcome = await objectsOf(language, source);
  if (!outcome.ok) {
    let chosen: DataObjectNode | undefined;
    const again = async (): Promise<void> => void (chosen = await chooseObjectOf(language, source, title));
    await showFailure(outcome.error, Uri.parse(source.uri), { again });
    return chosen;
  }
  const object = await choose(outcome.value.objects, source, title);
  return object && { kind: 'object', source, object };
}

/** Uses the known catalog; reads an unread source, which may ask for its secret. */
async function objectsOf(language: GraphLanguage, { uri, name }: DataSourceView): Promise<Outcome<DataObjectsView>> {
  return progressWhenSlow(language, l10n.t('Reading {0}', name), async (token, report) => {
    const read = (params: { readonly refresh?: boolean }): Promise<Outcome<DataObjectsView>> =>
      reportedRequest(language, 'entityGraph/sourceObjects', { uri, dataSource: name, ...params }, { token, report });
    const known = await read({});
    return known.ok || known.error.code !== 'catalog-unknown' ? known : read({ refresh: true });
  });
}

async function choose(
  objects: readonly DataObjectView[],
  { name }: DataSourceView,
  title: string,
): Promise<DataObjectView | undefined> {
  if (objects.length === 0) {
    void showInformationMessage(l10n.t('{0} has no data objects.', name));
    return undefined;
  }
  if (objects.length === 1) return objects[0];
  const items = objects.map((object) => ({
    label: object.name,
    description: objectFacts(object).slice(0, 3).join(' · '),
    object,
  }));
  const placeHolder = l10n.t('Data object of {0}', name);
  return (await window.showQuickPick(items, { title, placeHolder, matchOnDescription: true }))?.object;
}
