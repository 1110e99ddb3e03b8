import { l10n, window } from 'vscode';
import type { ColumnView } from '../../../protocol/canvas-intents.ts';
import type { WrittenFields } from '../../../protocol/platform-actions.ts';
import { askFor } from './platform-place.ts';

/** Lets the user set fields one after another; undefined when dismissed or empty. */
export async function enterValues(title: string, columns: readonly ColumnView[]): Promise<WrittenFields | undefined> {
  const values: Record<string, string> = {};
  let inputDisplayValue = false;
  // Columns behind references belong to other records.
  const own = columns.filter(({ name, key }) => !key && !name.includes('.'));
  for (;;) {
    const done = {
      label: l10n.t('$(check) Done'),
      description: l10n.t('Show the request before it is sent'),
      name: '',
    };
    const other = { label: l10n.t('$(edit) Another Field…'), description: '', name: '' };
    const form = {
      label: inputDisplayValue ? l10n.t('$(eye) Values as Shown') : l10n.t('$(database) Values as Stored'),
      description: l10n.t('Enter them in the other form'),
      name: '',
    };
    const items = own.map(({ name, comment, type }) => ({
      name,
      label: name in values ? `$(circle-filled) ${name}` : name,
      description: name in values ? `= ${values[name]}` : [comment, type].filter(Boolean).join(' · '),
    }));
    const list = [...(Object.keys(values).length > 0 ? [done] : []), ...items, other, form];
    const chosen = await window.showQuickPick(list, {
      title,
      placeHolder: l10n.t('A field to set'),
      ignoreFocusOut: true,
      matchOnDescription: true,
    });
    if (!chosen) return undefined;
    if (chosen === done) return { values, inputDisplayValue };
    if (chosen === form) {
      inputDisplayValue = !inputDisplayValue;
      continue;
    }
    const name = chosen === other ? await askFor(l10n.t('Name of the field'), /^\w+$/) : chosen.name;
    if (name === undefined) continue;
    const value = await enterValue(
      name,
      columns.find((column) => column.name === name),
      { before: values[name] ?? '', inputDisplayValue },
    );
    if (value !== undefined) values[name] = value;
  }
}

/** One of the suggested values, or any text. */
async function enterValue(
  name: string,
  column: ColumnView | undefined,
  { before, inputDisplayValue }: { readonly before: string; readonly inputDisplayValue: boolean },
): Promise<string | undefined> {
  const { values = [], type = '' } = column ?? {};
  if (values.length > 0) {
    const other = { label: l10n.t('$(edit) Another Value…'), description: '' };
    const items = values.map(({ value, label = '' }) =>
      inputDisplayValue ? { label: label || value, description: value } : { label: value, description: label },
    );
    const chosen = await window.showQuickPick([...items, other], { title: name, ignoreFocusOut: true });
    if (chosen !== other) return chosen?.label;
  }
  const prompt = inputDisplayValue
    ? l10n.t('Value as the instance shows it to the user; times are in the zone of the user')
    : l10n.t('Value as it is stored; times are UTC, yyyy-MM-dd HH:mm:ss');
  return window.showInputBox({ title: name, prompt, placeHolder: type, value: before, ignoreFocusOut: true });
}
