import { askForRecord, chooseTable } from '../platform/platform-place.ts';
import { runAction, showResult } from '../platform/run-action.ts';
import type { Command } from './command.ts';

/** Deletes a record of an instance. */
export const deleteRecord: Command = async ({ language }, [given]) => {
  const place = await chooseTable(language, given);
  const id = place && (await askForRecord(place.source));
  if (!place || id === undefined) return;
  const result = await runAction(language, place.source, { kind: 'delete record', table: place.table, id });
  if (result) await showResult(result);
};
