import { Uri, l10n } from 'vscode';
import type { ColumnView } from '../../../protocol/canvas-intents.ts';
import type { TestQueryResult } from '../../../protocol/query-results.ts';
import { type DataObjectNode, chooseDataObject } from '../choose-data-object.ts';
import { objectFacts } from '../object-facts.ts';
import { showFailure } from '../show-failure.ts';
import type { ClientParts, Command } from './command.ts';

/** Shows the metadata of a data object, one row per column. */
export const showObjectDetails: Command = async (parts, [given]) => {
  const chosen = await chooseDataObject(parts.language, given, l10n.t('Show Details of Data Object'));
  if (!chosen) return;
  await showDetails(parts, chosen);
};

async function showDetails(parts: Pick<ClientParts, 'language' | 'results'>, chosen: DataObjectNode): Promise<void> {
  const { language, results } = parts;
  const { source, object } = chosen;
  const params = { uri: source.uri, dataSource: source.name, dataObject: object.name };
  const outcome = await language.request('entityGraph/sourceColumns', params);
  if (!outcome.ok)
    return showFailure(outcome.error, Uri.parse(source.uri), { again: () => showDetails(parts, chosen) });
  results.showFacts(object.name, objectFacts(object).join(' · '), columnTable(outcome.value));
}

function columnTable(columns: readonly ColumnView[]): TestQueryResult {
  const rows = columns.map(({ name, type, key, nullable, references, nullShare, distinctEstimate, comment }) => [
    name,
    type,
    key ? l10n.t('key') : null,
    nullable ? l10n.t('may be missing') : l10n.t('always set'),
    references ?? null,
    nullShare === undefined ? null : `${(nullShare * 100).toLocaleString(undefined, { maximumFractionDigits: 1 })} %`,
    distinctEstimate ?? null,
    comment ?? null,
  ]);
  const titles = [
    l10n.t('Column'),
    l10n.t('Type'),
    l10n.t('Key'),
    l10n.t('Values'),
    l10n.t('References'),
    l10n.t('Missing'),
    l10n.t('Distinct'),
    l10n.t('Comment'),
  ];
  return {
    columns: titles.map((name) => ({ name, type: '', nulls: 0 })),
    rows,
    truncated: false,
    durationMs: 0,
    warnings: [],
  };
}
