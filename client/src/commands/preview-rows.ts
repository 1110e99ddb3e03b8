import { Uri, l10n } from 'vscode';
import { chooseDataObject } from '../choose-data-object.ts';
import { reportedRequest } from '../reported-request.ts';
import { runQuery } from '../run-query.ts';
import type { Command } from './command.ts';

/** Shows the first rows of a data object. */
export const previewRows: Command = async ({ language, results }, [given]) => {
  const chosen = await chooseDataObject(language, given, l10n.t('Preview Rows'));
  if (!chosen) return;
  const { source, object } = chosen;
  const params = { uri: source.uri, dataSource: source.name, dataObject: object.name };
  await runQuery(results, {
    title: object.name,
    source: source.name,
    uri: Uri.parse(source.uri),
    execute: (hands) => reportedRequest(language, 'entityGraph/previewObject', params, hands),
  });
};
