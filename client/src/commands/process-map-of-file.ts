import { Uri, commands, l10n, window, workspace } from 'vscode';
import type { DraftColumn, DraftRole } from '../../../protocol/first-draft.ts';
import { sentence } from '../../../protocol/sentence.ts';
import { commandIds } from '../command-ids.ts';
import { chooseDataFile } from '../data-files.ts';
import { type FileDraft, draftOfFile, redraftOfFile } from '../draft-of-file.ts';
import { showErrorMessage, showInformationMessage } from '../messages.ts';
import { progressWhenSlow } from '../progress-when-slow.ts';
import { reportedRequest } from '../reported-request.ts';
import { showFailure } from '../show-failure.ts';
import { translated } from '../translated-text.ts';
import { rewriteGraph, writeFileGraph } from '../write-file-graph.ts';
import type { ClientParts, Command } from './command.ts';
import { importUntilMap } from './import.ts';

type Drafted = Extract<FileDraft, { kind: 'drafted' }>;

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
  const status = await importUntilMap(parts, written.uri);
  if (status === 'cancelled') {
    await written.takeBack();
    parts.dataSources.reload();
    parts.entities.refresh();
  } else if (status === 'imported') await tell(parts, file, outcome.value);
  else await commands.executeCommand(commandIds.openCanvas, written.uri);
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

/** Roles of which a person can choose another column. */
const changeable = ['case', 'activity', 'time', 'key'] as const satisfies readonly DraftRole[];

function decisionsOf({ chosen }: Drafted): readonly DraftColumn[] {
  return changeable.flatMap((role) => chosen.filter((each) => each.role === role));
}

/** Says what was decided. */
async function tell(parts: ClientParts, file: Uri, drafted: Drafted): Promise<void> {
  const decisions = decisionsOf(drafted);
  if (decisions.length === 0) return;
  const change = l10n.t('Change…');
  const text = l10n.t('Open Text');
  const told = decisions.map(({ role, columns }) => decisionText(role, columns.join(', '))).join(' ');
  const chosen = await showInformationMessage(told, change, text);
  if (chosen === change) await changeOne(parts, file, drafted);
  if (chosen === text) await window.showTextDocument(Uri.parse(drafted.graph));
}

function decisionText(role: DraftRole, columns: string): string {
  switch (role) {
    case 'case':
      return l10n.t('The case is in {0}.', columns);
    case 'activity':
      return l10n.t('The activity is in {0}.', columns);
    case 'time':
      return l10n.t('The time is in {0}.', columns);
    default:
      return l10n.t('The key is {0}.', columns);
  }
}

/** Lets the user choose another column, drafts again and imports; the map follows. */
async function changeOne(parts: ClientParts, file: Uri, drafted: Drafted): Promise<void> {
  const decisions = decisionsOf(drafted).map((decision) => ({
    label: decisionText(decision.role, decision.columns.join(', ')),
    detail: decision.reasons.map(({ text, values }) => translated(text, ...values)).join(', '),
    decision,
  }));
  const chosen = await window.showQuickPick(decisions, { title: title(), placeHolder: l10n.t('What to change') });
  if (!chosen) return;
  const { dataObject, role } = chosen.decision;
  const column = await chooseColumn(parts, drafted, dataObject, chosen.label);
  if (column === undefined) return;
  const others = drafted.answers.filter((answer) => answer.dataObject !== dataObject || answer.role !== role);
  const next = [...others, { dataObject, role, columns: [column] }];
  const outcome = await redraftOfFile(parts.language, file, { answers: next, graph: drafted.graph });
  if (!outcome.ok) return showFailure(outcome.error, file);
  if (outcome.value.kind !== 'drafted') return;
  const uri = Uri.parse(drafted.graph);
  try {
    await rewriteGraph(uri, drafted.text, outcome.value.text);
  } catch (error) {
    return void showErrorMessage(sentence(error instanceof Error ? error.message : String(error)));
  }
  if ((await importUntilMap(parts, uri)) === 'imported') await tell(parts, file, outcome.value);
}

async function chooseColumn(
  { language }: ClientParts,
  { sources, dataSource }: Drafted,
  dataObject: string,
  placeHolder: string,
): Promise<string | undefined> {
  const params = { uri: sources.uri, dataSource, dataObject };
  const columns = await progressWhenSlow(language, l10n.t('Reading {0}', dataObject), (token, report) =>
    reportedRequest(language, 'entityGraph/sourceColumns', params, { token, report }),
  );
  if (!columns.ok) {
    await showFailure(columns.error, Uri.parse(sources.uri));
    return undefined;
  }
  const items = columns.value.map(({ name, type }) => ({ label: name, description: type }));
  return (await window.showQuickPick(items, { title: title(), placeHolder, matchOnDescription: true }))?.label;
}
