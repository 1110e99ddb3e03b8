import { type QuickPickItem, type Uri, l10n, window, workspace } from 'vscode';
import type { EntryName, GraphEffect } from '../../../protocol/graph-effect.ts';
import { defaultPreviewRows } from '../../../protocol/preview-limits.ts';
import type { Failure, Outcome, TestQueryResult } from '../../../protocol/query-results.ts';
import { chooseGraph, isGraphPath, isOnCanvas } from '../active-graph.ts';
import type { Comparison, Comparisons } from '../comparisons.ts';
import { type ListedNumber, effectNumbers, effectSummary, numberColumn } from '../effect-facts.ts';
import { fileName } from '../import-messages.ts';
import { showInformationMessage, showWarningMessage } from '../messages.ts';
import type { RunningQuery } from '../query-history.ts';
import { runQuery } from '../run-query.ts';
import { showFailure } from '../show-failure.ts';
import type { ClientParts, Command } from './command.ts';

/**
 * Compares what a text of an entity graph makes of the data with what another text makes of it. The second argument is the
 * base of a comparison that is made again; otherwise the user chooses it.
 */
export const compareWith: Command = async (parts, [file, given]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  // Source control has menus for all files alike.
  if (!isGraphPath(uri) && !isOpenAsGraph(uri)) {
    const name = fileName(uri);
    return void showInformationMessage(
      l10n.t('{0} is no entity graph (*.entity.yaml), so there is nothing to compare.', name),
    );
  }
  const again = parts.comparisons.of(uri)?.base === given ? given : undefined;
  const base = typeof again === 'string' ? again : await chooseBase();
  if (base === undefined) return;
  // The lenses are those of an open text; a canvas shows the same numbers itself.
  if (!isOnCanvas(uri)) await window.showTextDocument(uri);
  const effect = await compared(parts.comparisons, uri, { base, reads: false });
  if (!effect || again !== undefined) return;
  const details = l10n.t('Show Details');
  if ((await showInformationMessage(effectSummary(effect), details)) === details) show(parts, uri, effect);
};

/** By its language, which may be that of files with any name. */
function isOpenAsGraph(uri: Uri): boolean {
  return workspace.textDocuments.some(
    (document) => document.uri.toString() === uri.toString() && document.languageId === 'entity-graph',
  );
}

/** Lists the numbers of the comparison of a file, with the edits that cause them; the second argument is the entry that they are of. */
export const showComparison: Command = async (parts, [file, given]) => {
  const uri = await chooseGraph(file);
  const known = uri && parts.comparisons.of(uri);
  if (!uri || !known) return uri && compareWith(parts, [uri]);
  const effect = known.isOutdated
    ? await compared(parts.comparisons, uri, { base: known.base, reads: false })
    : known.comparison.effect;
  if (effect) show(parts, uri, effect, isEntryName(given) ? given : undefined);
};

function isEntryName(given: unknown): given is EntryName {
  return typeof given === 'object' && given !== null && 'section' in given && 'name' in given;
}

export const stopComparing: Command = async ({ comparisons }, [file]) => {
  const uri = await chooseGraph(file);
  if (uri) await comparisons.stop(uri);
};

/** Rows that are not kept are read from their data source, after a question. */
async function compared(comparisons: Comparisons, uri: Uri, comparison: Comparison): Promise<GraphEffect | undefined> {
  const outcome = await comparisons.compare(uri, comparison);
  if (outcome.ok) return outcome.value.effect;
  const { code, message } = outcome.error;
  if (code === 'cancelled') return undefined;
  if (code !== 'source-unreachable' || comparison.reads) {
    await showFailure(inWordsOfEditor(outcome.error, uri), uri);
    return undefined;
  }
  const read = l10n.t('Read Data');
  const question = l10n.t('Not all rows that the two texts need are kept from the last import.');
  if ((await showWarningMessage(`${question} ${message}`, read)) !== read) return undefined;
  return compared(comparisons, uri, { ...comparison, reads: true });
}

/** The command line names options and whole paths. */
function inWordsOfEditor(failure: Failure, uri: Uri): Failure {
  const name = fileName(uri);
  const message = {
    'not-imported': l10n.t('{0} has not been imported yet: import it, or compare with a commit or another file.', name),
    'no-repository': l10n.t('{0} is not in a Git repository: compare with the last import or another file.', name),
  }[String(failure.code)];
  if (message === undefined) return failure;
  const { remedy: _, ...rest } = failure;
  return { ...rest, message };
}

async function chooseBase(): Promise<string | undefined> {
  const last: QuickPickItem = { label: l10n.t('Last Import'), description: l10n.t('the text of the imported graph') };
  const head: QuickPickItem = { label: l10n.t('Last Commit'), description: 'HEAD' };
  const commit: QuickPickItem = { label: l10n.t('Commit or Branch…') };
  const file: QuickPickItem = { label: l10n.t('File…') };
  const title = l10n.t('Compare with…');
  const chosen = await window.showQuickPick([last, head, commit, file], {
    title,
    placeHolder: l10n.t('The other text; both are built from the same rows, and nothing is imported'),
  });
  if (chosen === last) return 'last';
  if (chosen === head) return 'HEAD';
  if (chosen === commit) {
    const name = await window.showInputBox({ title, prompt: l10n.t('A commit or branch'), value: 'origin/main' });
    return name?.trim() === '' ? undefined : name?.trim();
  }
  if (chosen !== file) return undefined;
  const [picked] = (await window.showOpenDialog({ title, filters: { YAML: ['yaml', 'yml', 'json'] } })) ?? [];
  return picked?.fsPath;
}

/** The table of numbers, which open their rows as long as the comparison is the last one. */
function show(parts: ClientParts, uri: Uri, effect: GraphEffect, entry?: EntryName): void {
  const { table, numbers } = effectNumbers(effect, entry);
  const rows = numbers.flatMap(({ hasRows }, row) => (hasRows ? [row] : []));
  const open = (row: number): void => {
    const [, change = '', what = '', name = '', edit = ''] = (table.rows[row] ?? []).map(String);
    const number = numbers[row];
    const named = { title: `${what} · ${name} · ${change}`, source: edit };
    if (number)
      openRows(parts, uri, { effect, number, ...named }).catch((error: unknown) => parts.log.error(String(error)));
  };
  const title = l10n.t('Effect of {0}', fileName(uri));
  parts.results.showNumbers(
    {
      title: entry ? `${title} · ${entry.name}` : title,
      uri,
      facts: effectSummary(effect),
      numbers: { column: numberColumn, rows, open },
    },
    table,
  );
}

async function openRows(
  parts: ClientParts,
  uri: Uri,
  {
    effect,
    number,
    ...named
  }: { readonly effect: GraphEffect; readonly number: ListedNumber; readonly title: string; readonly source: string },
): Promise<void> {
  if (parts.comparisons.of(uri)?.comparison.effect !== effect) {
    const again = l10n.t('Show Numbers');
    const said = l10n.t(
      '{0} has been compared again since, or not any more: these numbers have no rows now.',
      fileName(uri),
    );
    if ((await showInformationMessage(said, again)) === again) await showComparison(parts, [uri]);
    return;
  }
  const { hasRows: _, ...of } = number;
  const limit = workspace.getConfiguration('entityGraph', uri).get('previewRows', defaultPreviewRows);
  const execute = ({ token }: RunningQuery): Promise<Outcome<TestQueryResult>> =>
    parts.language.request('entityGraph/comparedRows', { uri: uri.toString(), ...of, limit }, token);
  await runQuery(parts.results, { ...named, uri, execute }, uri);
}
