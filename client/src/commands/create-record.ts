import { l10n } from 'vscode';
import { enterValues } from '../platform/enter-values.ts';
import { chooseTable, columnsOf } from '../platform/platform-place.ts';
import { runAction, showResult } from '../platform/run-action.ts';
import type { Command } from './command.ts';

/** Creates a record in a table of an instance. */
export const createRecord: Command = async ({ language }, [given]) => {
  const place = await chooseTable(language, given);
  if (!place) return;
  const { source, table } = place;
  const fields = await enterValues(l10n.t('New Record of {0}', table), await columnsOf(language, place));
  const result = fields && (await runAction(language, source, { kind: 'create record', table, ...fields }));
  if (result) await showResult(result);
};
