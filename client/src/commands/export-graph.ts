import { ProgressLocation, Uri, commands, env, l10n, window } from 'vscode';
import type { ExportFormatName, GraphOverview } from '../../../protocol/event-graph.ts';
import { chooseGraph } from '../active-graph.ts';
import { fileName } from '../import-messages.ts';
import type { GraphLanguage } from '../language-client.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';
import { showInformationMessage, withProgress } from '../messages.ts';

/** An export format in the picker; with a file extension it is one file, else a folder. */
interface FormChoice {
  readonly form: ExportFormatName;
  readonly label: string;
  readonly detail: string;
  readonly ending?: string;
  readonly guardFormulas?: true;
  /** Whether the format has cases: the entities of one type, which the user chooses. */
  readonly hasCases?: true;
}

/** For event logs: the entity type of their cases. */
interface Cases {
  readonly entityType?: string;
}

/** Exports the imported graph of a file. */
export const exportGraph: Command = async ({ language, log }, [file]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const title = l10n.t('Export Event Graph of {0}', fileName(uri));
  const choice = await window.showQuickPick(forms(), { title, placeHolder: l10n.t('Form'), matchOnDetail: true });
  if (!choice) return;
  const cases: Cases | undefined = choice.hasCases ? await chooseCases(language, uri, title) : {};
  const output = cases && (await chooseOutput(uri, choice, cases.entityType));
  if (!cases || !output) return;
  const { form, guardFormulas = false } = choice;
  const params = { uri: uri.toString(), form, output: output.toString(), guardFormulas, ...cases };
  const outcome = await withProgress(
    { location: ProgressLocation.Notification, title: l10n.t('Exporting {0}', fileName(uri)), cancellable: true },
    (_, token) => language.request('entityGraph/exportGraph', params, token),
  );
  if (!outcome.ok) return showFailure(outcome.error, uri);
  const { files, notes } = outcome.value;
  log.info(`Export of ${fileName(uri)}: ${files.join(', ')}`);
  await sayWhere(output, notes);
};

/** All formats are listed: a missing one does not compile. */
function forms(): readonly FormChoice[] {
  const tables = l10n.t('A folder with one file for each table of the graph');
  const offers: Readonly<Record<ExportFormatName, readonly Omit<FormChoice, 'form'>[]>> = {
    'ocel-json': [
      {
        label: 'OCEL 2.0 JSON',
        detail: l10n.t('One file: object-centric event log, for process mining tools such as pm4py'),
        ending: 'json',
      },
    ],
    'ocel-sqlite': [
      { label: 'OCEL 2.0 SQLite', detail: l10n.t('One file: the same log as a database'), ending: 'sqlite' },
    ],
    'ocel-xml': [{ label: 'OCEL 2.0 XML', detail: l10n.t('One file: the same log as XML'), ending: 'xml' }],
    parquet: [{ label: 'Parquet', detail: tables }],
    csv: [
      { label: 'CSV', detail: tables },
      {
        label: l10n.t('CSV for Spreadsheets'),
        detail: l10n.t('The same; texts that a spreadsheet would run as formulas begin with an apostrophe'),
        guardFormulas: true,
      },
    ],
    neo4j: [
      { label: 'Neo4j', detail: l10n.t('A folder with files for neo4j-admin, and a Cypher script that loads them') },
    ],
    xes: [
      {
        label: 'XES',
        detail: l10n.t('One file: event log of one entity type, for process mining tools such as ProM and Apromore'),
        ending: 'xes',
        hasCases: true,
      },
    ],
    'csv-log': [
      {
        label: l10n.t('CSV Event Log'),
        detail: l10n.t('One file: event log of one entity type, for process mining tools such as Disco and Celonis'),
        ending: 'csv',
        hasCases: true,
      },
      {
        label: l10n.t('CSV Event Log for Spreadsheets'),
        detail: l10n.t('The same; texts that a spreadsheet would run as formulas begin with an apostrophe'),
        ending: 'csv',
        hasCases: true,
        guardFormulas: true,
      },
    ],
  };
  return Object.entries(offers).flatMap(([form, each]) =>
    each.map((offer) => ({ form: form as ExportFormatName, ...offer })),
  );
}

/** Asks which entity type has the cases, unless there is only one; undefined when the user dismisses the question. */
async function chooseCases(language: GraphLanguage, uri: Uri, title: string): Promise<Cases | undefined> {
  const asked = { uri: uri.toString(), question: 'overview', params: {} } as const;
  const outcome = await language.request('entityGraph/eventGraph', asked);
  if (!outcome.ok) return void showFailure(outcome.error, uri);
  const { entityTypes } = outcome.value as GraphOverview;
  const [only, ...others] = entityTypes;
  if (only && others.length === 0) return { entityType: only.name };
  const items = entityTypes.map(({ name, entities }) => ({
    label: name,
    description: l10n.t('{0} entities', entities.toLocaleString()),
  }));
  const placeHolder = l10n.t('Entity type whose entities are the cases of the log');
  const chosen = await window.showQuickPick(items, { title, placeHolder });
  return chosen && { entityType: chosen.label };
}

/** The chosen file, or a new folder inside the chosen one. */
async function chooseOutput(
  uri: Uri,
  { form, label, ending, guardFormulas }: FormChoice,
  entityType?: string,
): Promise<Uri | undefined> {
  const graph = fileName(uri).replace(/\.entity\.[a-z]+$/i, '');
  // A type may have any characters, a name of a file not.
  const name = entityType === undefined ? graph : `${graph}-${entityType.replaceAll(/[^\p{L}\p{N}_-]+/gu, '_')}`;
  const beside = Uri.joinPath(uri, '..');
  if (ending !== undefined) {
    const defaultUri = Uri.joinPath(beside, `${name}.${ending}`);
    return window.showSaveDialog({ title: l10n.t('Export as {0}', label), defaultUri, filters: { [label]: [ending] } });
  }
  const chosen = await window.showOpenDialog({
    title: l10n.t('Export as {0} into a folder of its own', label),
    openLabel: l10n.t('Export Here'),
    defaultUri: beside,
    canSelectFiles: false,
    canSelectFolders: true,
  });
  return chosen?.[0] && Uri.joinPath(chosen[0], `${name}-${guardFormulas ? 'spreadsheets' : form}`);
}

async function sayWhere(output: Uri, notes: readonly string[]): Promise<void> {
  const reveal = l10n.t('Show in Folder');
  const copy = l10n.t('Copy Path');
  const chosen = await showInformationMessage(
    [l10n.t('The graph is in {0}.', output.fsPath), ...notes].join(' '),
    reveal,
    copy,
  );
  if (chosen === reveal) await commands.executeCommand('revealFileInOS', output);
  if (chosen === copy) await env.clipboard.writeText(output.fsPath);
}
