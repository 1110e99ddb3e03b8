import { type Uri, l10n, window, workspace } from 'vscode';
import { showInformationMessage } from './messages.ts';

/** A file of the open folders of which a graph can be drafted. */
export interface DataFile {
  readonly label: string;
  readonly description: string;
  /** Without extensions. */
  readonly name: string;
  readonly uri: Uri;
}

/** Files that the menu *Process Map from This File* is offered for, as in `package.json`. */
const endings =
  'csv,tsv,json,jsonl,ndjson,csv.gz,tsv.gz,json.gz,jsonl.gz,ndjson.gz,parquet,xlsx,xlsm,xes,xes.gz,jsonocel,xmlocel,sqliteocel';

/** Settings of programs and our own files are no data. */
const noData =
  /(?:^|\/)(?:package(?:-lock)?|[tj]sconfig(?:\.[^/]*)?|entity-sources|[^/]*\.entity(?:\.test)?|~\$[^/]*)\.[^/]+$/i;

/** More are not listed. */
const maxFiles = 200;

/** Whether it is data by its name. JSON is configuration where its name says so. */
export function isDataFile({ path }: Uri): boolean {
  return endings.split(',').some((ending) => path.toLowerCase().endsWith(`.${ending}`)) && !noData.test(path);
}

/** The data files of the open folders, those of the upper folders first. */
export async function dataFiles(): Promise<readonly DataFile[]> {
  const found = await workspace.findFiles(`**/*.{${endings}}`, '**/{node_modules,.*}/**', maxFiles);
  const files = found.filter(({ path }) => !noData.test(path)).map(dataFile);
  const depth = ({ description }: DataFile): number => description.split('/').length;
  return files.sort((one, other) => depth(one) - depth(other) || one.description.localeCompare(other.description));
}

function dataFile(uri: Uri): DataFile {
  const path = workspace.asRelativePath(uri);
  const base = path.slice(path.lastIndexOf('/') + 1);
  const name = base.replace(/(?<=.)(?:\.[^.]+\.gz|\.[^.]+)$/i, '');
  return { label: `$(file) ${base}`, description: path, name, uri };
}

/** Asks for one of them. */
export async function chooseDataFile(title: string): Promise<DataFile | undefined> {
  const files = await dataFiles();
  if (files.length > 0) {
    const placeHolder = l10n.t('Data file');
    return window.showQuickPick(files, { title, placeHolder, matchOnDescription: true });
  }
  void showInformationMessage(
    l10n.t('There is no data file (CSV, Parquet, JSON, Excel, XES, OCEL) in this workspace yet.'),
  );
  return undefined;
}
