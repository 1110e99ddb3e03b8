import { l10n, window } from 'vscode';
import type { DataObjectView } from '../../protocol/canvas-intents.ts';
import { objectFacts } from './object-facts.ts';

/** Up to this number all are preselected. */
const mostProposed = 12;

/** Names of the data objects for a new graph: the only one, else the user's choice; undefined when there are none. */
export async function chooseDataObjects(
  objects: readonly DataObjectView[],
  title: string,
): Promise<readonly string[] | undefined> {
  if (objects.length === 1) return objects.map(({ name }) => name);
  const items = objects.map((object) => ({
    label: object.name,
    description: objectFacts(object).slice(0, 3).join(' · '),
    picked: objects.length <= mostProposed,
  }));
  const chosen = await window.showQuickPick(items, {
    title,
    placeHolder: l10n.t('Data objects to draft elements of; those without a timestamp are left out'),
    canPickMany: true,
    matchOnDescription: true,
  });
  return chosen && chosen.length > 0 ? chosen.map(({ label }) => label) : undefined;
}
