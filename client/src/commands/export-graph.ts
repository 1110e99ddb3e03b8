import { ProgressLocation, Uri, commands, env, l10n, window } from 'vscode';
import type { ExportForm } from '../../../protocol/event-graph.ts';
import { chooseGraph } from '../active-graph.ts';
import { fileName } from '../import-messages.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';
import { showInformationMessage, withProgress } from '../messages.ts';

/** An export format in the picker; with a file extension it is one file, else a folder. */
interface FormChoice {
  readonly form: ExportForm;
  readonly label: string;
  readonly detail: string;
  readonly ending?: string;
  readonly guardFormulas?: true;
}

/** Exports the imported graph of a file. */
export const exportGraph: Command = async ({ language, log }, [file]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const title = l10n.t('Export Event Graph of {0}', fileName(uri));
  const choice = await window.showQuickPick(forms(), { title, placeHolder: l10n.t('Form'), matchOnDetail: true });
  const output = choice && (await chooseOutput(uri, choice));
  if (!choice || !output) return;
  const { form, guardFormulas = false } = choice;
  const params = { uri: uri.toString(), form, output: output.toString(), guardFormulas };
  const outcome = await withProgress(
    { location: ProgressLocation.Notification, title: l10n.t('Exporting {0}', fileName(uri)), cancellable: true },
    (_, token) => language.request('entityGraph/exportGraph', params, token),
  );
  if (!outcome.ok) return showFailure(outcome.error, uri);
  log.info(`Export of ${fileName(uri)}: ${outcome.value.join(', ')}`);
  await sayWhere(output);
};

/** All formats are listed: a missing one does not compile. */
function forms(): readonly FormChoice[] {
  const tables = l10n.t('A folder with one file for each table of the graph');
  const offers: Readonly<Record<ExportForm, readonly Omit<FormChoice, 'form'>[]>> = {
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
  };
  return Object.entries(offers).flatMap(([form, each]) =>
    each.map((offer) => ({ form: form as ExportForm, ...offer })),
  );
}

/** The chosen file, or a new folder inside the chosen one. */
async function chooseOutput(uri: Uri, { form, label, ending, guardFormulas }: FormChoice): Promise<Uri | undefined> {
  const name = fileName(uri).replace(/\.entity\.[a-z]+$/i, '');
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

async function sayWhere(output: Uri): Promise<void> {
  const reveal = l10n.t('Show in Folder');
  const copy = l10n.t('Copy Path');
  const chosen = await showInformationMessage(l10n.t('The graph is in {0}.', output.fsPath), reveal, copy);
  if (chosen === reveal) await commands.executeCommand('revealFileInOS', output);
  if (chosen === copy) await env.clipboard.writeText(output.fsPath);
}
