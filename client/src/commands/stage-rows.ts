import { Uri, l10n, window } from 'vscode';
import type { ActionResult, StagingRows } from '../../../protocol/platform-actions.ts';
import { chooseGraph } from '../active-graph.ts';
import { chooseQueryTarget } from '../choose-query-target.ts';
import type { GraphLanguage } from '../language-client.ts';
import { outcomeTable } from '../platform/outcome-table.ts';
import { askFor, chooseInstance } from '../platform/platform-place.ts';
import { runAction } from '../platform/run-action.ts';
import type { Command } from './command.ts';
import { showWarningMessage } from '../messages.ts';

/** Inserts the rows of a file or a query into a staging table, and shows the result of each row. */
export const stageRows: Command = async ({ language, results }, [given]) => {
  const source = await chooseInstance(language, given);
  const table = source && (await askFor(l10n.t('Name of the staging table'), /^\w+$/));
  const rows = table === undefined ? undefined : await chooseRows(language);
  const bulk = rows && (await chooseBulk());
  if (!source || table === undefined || !rows || bulk === undefined) return;
  for (let from: number | undefined = 1; from !== undefined;) {
    const action = { kind: 'stage rows', table, rows, bulk, ...(from > 1 && { from }) } as const;
    const result: ActionResult | undefined = await runAction(language, source, action);
    if (!result) return;
    results.showFacts(table, result.summary, outcomeTable(result));
    from = await whereToGoOn(result);
  }
};

/** Unsent rows can be sent once the results of the others are known. */
async function whereToGoOn({ summary, next }: ActionResult): Promise<number | undefined> {
  if (next === undefined) return undefined;
  const goOn = l10n.t('Continue from Row {0}', next);
  return (await showWarningMessage(summary, goOn)) === goOn ? next : undefined;
}

async function chooseRows(language: GraphLanguage): Promise<StagingRows | undefined> {
  const [file, query] = [l10n.t('$(file) Rows of a File…'), l10n.t('$(table) Rows of a Query…')];
  const chosen = await window.showQuickPick([file, query], { title: l10n.t('Which rows?') });
  if (chosen === file) {
    const endings = ['csv', 'tsv', 'txt', 'gz', 'json', 'jsonl', 'ndjson', 'parquet', 'xlsx'];
    const [uri] = (await window.showOpenDialog({ filters: { [l10n.t('Rows')]: endings } })) ?? [];
    return uri && { kind: 'file', file: uri.fsPath };
  }
  const graph = chosen === query ? await chooseGraph(undefined) : undefined;
  const target = graph && (await chooseQueryTarget(language, graph, undefined));
  return graph && target && { kind: 'query', graph: Uri.parse(graph.toString()).fsPath, target };
}

async function chooseBulk(): Promise<boolean | undefined> {
  const single = { label: l10n.t('One by One'), description: l10n.t('Each row is transformed at once'), bulk: false };
  const bulk = {
    label: l10n.t('All at Once'),
    description: l10n.t('Transformed later; keys are labels of columns'),
    bulk: true,
  };
  return (await window.showQuickPick([single, bulk], { title: l10n.t('How?') }))?.bulk;
}
