import { Uri, commands, l10n, window, workspace } from 'vscode';
import type { DraftAnswer } from '../../../protocol/first-draft.ts';
import { sentence } from '../../../protocol/sentence.ts';
import type { Outcome } from '../../../protocol/query-results.ts';
import { chooseGraph } from '../active-graph.ts';
import { commandIds } from '../command-ids.ts';
import { chooseDataFile } from '../data-files.ts';
import { type DraftOfGraph, draftToKeep, textOf } from '../draft-choices.ts';
import { draftOfFile, redraftOfFile } from '../draft-of-file.ts';
import { mergeTexts } from '../merge-texts.ts';
import { showInformationMessage } from '../messages.ts';
import { showFailure } from '../show-failure.ts';
import { rewriteGraph, writeFileGraph } from '../write-file-graph.ts';
import type { ClientParts, Command } from './command.ts';
import { importUntilMap } from './import.ts';

/**
 * Drafts, imports and shows the process map of a data file. Asks at most one question; what was decided is told beside
 * the map, where it can be changed. A cancelled import removes what was written.
 */
export const processMapOfFile: Command = async (parts, [given]) => {
  const file = given instanceof Uri ? given : (await chooseDataFile(title()))?.uri;
  if (file) await mapOf(parts, file);
};

function title(): string {
  return l10n.t('Process Map from This File');
}

async function mapOf(parts: ClientParts, file: Uri): Promise<void> {
  const outcome = await draftOfFile(parts.language, file, {}, title());
  if (outcome === 'dismissed') return;
  if (!outcome.ok) return showFailure(outcome.error, file);
  if (outcome.value.kind === 'exists') return openExisting(parts, file, outcome.value.graphs);
  const written = await writeFileGraph(parts.language, outcome.value);
  parts.dataSources.reload();
  await parts.drafts.keep(written.uri, draftToKeep(file, outcome.value));
  const status = await importUntilMap(parts, written.uri);
  if (status === 'cancelled') {
    await parts.drafts.keep(written.uri, undefined);
    await written.takeBack();
    parts.dataSources.reload();
    parts.entities.refresh();
  } else if (status !== 'imported') await commands.executeCommand(commandIds.openCanvas, written.uri);
}

/** In place of a second graph of the same file. */
async function openExisting(parts: ClientParts, file: Uri, graphs: readonly string[]): Promise<void> {
  const items = graphs.map((graph) => {
    const uri = Uri.parse(graph);
    return { label: workspace.asRelativePath(uri), uri };
  });
  const placeHolder = l10n.t('Graph of {0}', workspace.asRelativePath(file));
  const chosen = items.length === 1 ? items[0] : await window.showQuickPick(items, { title: title(), placeHolder });
  if (!chosen) return;
  const status = await parts.language.request('entityGraph/status', { uri: chosen.uri.toString() });
  if (status?.status === 'Imported') parts.eventGraphs.open(chosen.uri, { tab: 'map' });
  else await importUntilMap(parts, chosen.uri);
}

/**
 * Shows the choices of a draft beside the map. With a choice, or `before` for those before the last change, drafts again
 * and imports, which gives an `Outcome<null>`.
 */
export const showDraftChoices: Command = async (parts, [given, change]) => {
  const uri = await chooseGraph(given ?? parts.eventGraphs.inFront());
  if (!uri) return undefined;
  const draft = parts.drafts.of(uri);
  if (change !== undefined) return changed(parts, uri, draft, change as DraftAnswer | 'before');
  if (draft) await parts.drafts.keep(uri, { ...draft, isDismissed: false });
  if (!(await parts.drafts.view(uri))) return void showInformationMessage(noDraft(uri));
  parts.eventGraphs.open(uri, { tab: 'map' });
  return undefined;
};

function noDraft(uri: Uri): string {
  return l10n.t(
    '{0} is no longer as it was drafted from a data file. Change it in the text or on the canvas.',
    workspace.asRelativePath(uri),
  );
}

function changedThere(uri: Uri): string {
  return l10n.t(
    'The lines of {0} that this changes were edited meanwhile. Change them in the text or on the canvas.',
    workspace.asRelativePath(uri),
  );
}

/** Drafts again with another answer, keeping other edits of the text, and imports; the map follows. */
async function changed(
  parts: ClientParts,
  uri: Uri,
  draft: DraftOfGraph | undefined,
  change: DraftAnswer | 'before',
): Promise<Outcome<null>> {
  const refusal = (message: string): Outcome<null> => ({ ok: false, error: { code: 'edit-refused', message } });
  const text = await textOf(uri);
  if (!draft || text === undefined) return refusal(noDraft(uri));
  const [answers, before] =
    change === 'before'
      ? [draft.before.at(-1) ?? [], draft.before.slice(0, -1)]
      : [
          [...draft.answers.filter((each) => !isSameRole(each, change)), change],
          [...draft.before, draft.answers],
        ];
  const file = Uri.parse(draft.file);
  const outcome = await redraftOfFile(parts.language, file, { answers, graph: uri.toString() });
  if (!outcome.ok) return outcome;
  if (outcome.value.kind !== 'drafted') return { ok: true, value: null };
  const merged = mergeTexts(draft.text, text, outcome.value.text);
  if (merged === undefined) return refusal(changedThere(uri));
  try {
    await rewriteGraph(uri, text, merged);
  } catch (error) {
    return refusal(sentence(error instanceof Error ? error.message : String(error)));
  }
  await parts.drafts.keep(uri, draftToKeep(file, outcome.value, before));
  await importUntilMap(parts, uri);
  return { ok: true, value: null };
}

function isSameRole(one: DraftAnswer, other: DraftAnswer): boolean {
  return one.dataObject === other.dataObject && one.role === other.role;
}
