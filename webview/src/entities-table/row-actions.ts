import type { EntityAction, EntityRow } from '../../../protocol/entities-table.ts';
import type { MenuItem } from '../ui/menu.ts';
import { t } from '../ui/translate.ts';
import { type EntitiesActions, failureReason } from './entities-state.ts';

interface RowAction {
  readonly action: EntityAction;
  readonly label: string;
  readonly icon: string;
  readonly shortcut?: string;
  readonly separated?: boolean;
  /** Why it is disabled. */
  readonly disabled?: string | undefined;
  /** Has an icon in the row where there is little room, too. */
  readonly isFrequent?: boolean;
}

/** The actions of a row, in icon order. */
export function rowActions(
  { running, status, modifiedSinceImport }: EntityRow,
  trusted: boolean,
): readonly RowAction[] {
  return [
    { action: 'configure', label: t('Configure'), icon: 'settings-gear', shortcut: 'Enter', isFrequent: true },
    running
      ? {
          action: 'cancelImport',
          isFrequent: true,
          label: t('Cancel Import'),
          icon: 'stop-circle',
          disabled: running.state === 'cancelling' ? t('It is being cancelled') : undefined,
        }
      : {
          action: 'import',
          isFrequent: true,
          label: t('Import'),
          icon: 'cloud-download',
          disabled: trusted ? undefined : t('The workspace is not trusted'),
        },
    {
      action: 'openEventGraph',
      isFrequent: true,
      label: t('Open Event Graph'),
      icon: 'graph',
      disabled: status === 'Imported' ? undefined : t('There is no graph yet: import it first'),
    },
    {
      action: 'reset',
      label: t('Reset'),
      icon: 'discard',
      disabled: status === 'Imported' && modifiedSinceImport ? undefined : t('Nothing differs from the last import'),
    },
    { action: 'exportConfiguration', label: t('Export Entity Graph'), icon: 'export', separated: true },
    { action: 'copyConfiguration', label: t('Copy Entity Graph'), icon: 'copy' },
    {
      action: 'delete',
      label: t('Delete'),
      icon: 'trash',
      shortcut: 'Delete',
      separated: true,
      disabled: running && t('An import is running'),
    },
  ];
}

/** The actions of a row as a menu, with *Go to Text* and, for a failure, *Show Reason*. */
export function rowMenu(row: EntityRow, trusted: boolean, actions: EntitiesActions): readonly MenuItem[] {
  const items = rowActions(row, trusted).map(
    ({ action, label, icon, shortcut, separated = false, disabled }): MenuItem => ({
      label,
      icon,
      shortcut,
      separated,
      ...(disabled === undefined ? {} : { disabled: true, hint: disabled }),
      run: () => actions.act(action, row.uri),
    }),
  );
  const text: MenuItem = {
    label: t('Go to Text'),
    icon: 'go-to-file',
    shortcut: 'F12',
    run: () => actions.act('openText', row.uri),
  };
  const reason: MenuItem = {
    label: t('Show Reason'),
    icon: 'info',
    separated: true,
    run: () => actions.explain(row.uri),
  };
  return [...items.slice(0, 1), text, ...items.slice(1), ...(failureReason(row) === undefined ? [] : [reason])];
}
