import { l10n, window } from 'vscode';
import type { ActionResult, ManyRecords, PlatformAction } from '../../../protocol/platform-actions.ts';
import type { DataSourceView } from '../../../protocol/requests/source-requests.ts';
import { showWarningMessage } from '../messages.ts';
import { enterValues } from '../platform/enter-values.ts';
import { outcomeTable } from '../platform/outcome-table.ts';
import { type PlatformTable, chooseTable, columnsOf } from '../platform/platform-place.ts';
import { runAction, showResult } from '../platform/run-action.ts';
import type { ClientParts, Command } from './command.ts';

/** Changes fields of all records listed in a file. */
export const updateRecords: Command = async (context, [given]) => {
  const { language } = context;
  const place = await chooseTable(language, given);
  const ids = place && (await chooseIds(place.source));
  if (!place || ids === undefined) return;
  const { table } = place;
  const fields = await enterValues(l10n.t('Records of {0}', table), await columnsOf(language, place));
  if (!fields) return;
  await writeAll(context, place, (more) => ({ kind: 'update records', table, ids, ...fields, ...more }));
};

/** Deletes all records listed in a file. */
export const deleteRecords: Command = async (context, [given]) => {
  const place = await chooseTable(context.language, given);
  const ids = place && (await chooseIds(place.source));
  if (!place || ids === undefined) return;
  const { table } = place;
  await writeAll(context, place, (more) => ({ kind: 'delete records', table, ids, ...more }));
};

/** Shows the results, and repeats records with an unknown outcome on request. */
async function writeAll(
  { language, results }: ClientParts,
  { source, table }: PlatformTable,
  actionOf: (more: Pick<ManyRecords, 'repeatUnknown'>) => PlatformAction,
): Promise<void> {
  for (let more: Pick<ManyRecords, 'repeatUnknown'> = {}; ;) {
    const result: ActionResult | undefined = await runAction(language, source, actionOf(more));
    if (!result) return;
    const { rows = [], summary } = result;
    if (rows.length === 0) return showResult(result);
    results.showFacts(table, summary, outcomeTable(result));
    const again = l10n.t('Send Again');
    const isUnknown = rows.some(({ status }) => status === 'unknown');
    const chosen = await showWarningMessage(
      [summary, ...(result.warnings ?? [])].join(' '),
      ...(isUnknown ? [again] : []),
    );
    if (chosen !== again) return;
    more = { repeatUnknown: true };
  }
}

async function chooseIds({ recordKey = '' }: DataSourceView): Promise<string | undefined> {
  const filters = {
    [l10n.t('Lists of {0}s', recordKey)]: ['txt', 'csv', 'tsv', 'json', 'jsonl', 'ndjson', 'parquet', 'xlsx'],
  };
  const title = l10n.t('File with the {0}s of the records', recordKey);
  const [uri] = (await window.showOpenDialog({ title, filters })) ?? [];
  return uri?.fsPath;
}
