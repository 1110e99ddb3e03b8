import { l10n } from 'vscode';
import { enterValues } from '../platform/enter-values.ts';
import { askForRecord, chooseTable, columnsOf } from '../platform/platform-place.ts';
import { runAction, showResult } from '../platform/run-action.ts';
import type { Command } from './command.ts';

/** Changes fields of a record of an instance. */
export const updateRecord: Command = async ({ language }, [given]) => {
  const place = await chooseTable(language, given);
  const id = place && (await askForRecord(place.source));
  if (!place || id === undefined) return;
  const { source, table } = place;
  const fields = await enterValues(l10n.t('{0} of {1}', id, table), await columnsOf(language, place));
  const result = fields && (await runAction(language, source, { kind: 'update record', table, id, ...fields }));
  if (result) await showResult(result);
};
