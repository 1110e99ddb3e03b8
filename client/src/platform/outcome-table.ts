import { l10n } from 'vscode';
import type { ActionResult } from '../../../protocol/platform-actions.ts';

/** Results of rows or records as a table. */
export function outcomeTable({ rows = [] }: ActionResult) {
  const columns = [
    ['row', l10n.t('Row'), 'BIGINT'],
    ['status', l10n.t('Status'), 'VARCHAR'],
    ['table', l10n.t('Table'), 'VARCHAR'],
    ['record', l10n.t('Record'), 'VARCHAR'],
    ['message', l10n.t('Message'), 'VARCHAR'],
  ] as const;
  return {
    columns: columns.map(([, name, type]) => ({ name, type, nulls: 0 })),
    rows: rows.map((outcome) => columns.map(([member]) => outcome[member] ?? null)),
    truncated: false,
    durationMs: 0,
    warnings: [],
  };
}
