import { Range, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri, l10n, workspace } from 'vscode';
import type { ColumnView, DataObjectView } from '../../protocol/canvas-intents.ts';
import type { DataSourceView } from '../../protocol/requests/source-requests.ts';
import type { Failure, TextRange } from '../../protocol/query-results.ts';
import { commandIds } from './command-ids.ts';
import { objectFacts, sizeText } from './object-facts.ts';
import { sentence } from '../../protocol/sentence.ts';
import { tooltip } from './tooltip.ts';

/** A row of the Data Sources view. */
export type DataSourceNode =
  | {
      readonly kind: 'source';
      readonly source: DataSourceView;
      readonly missingSecrets: readonly string[];
      /** Secrets that come from environment variables. */
      readonly environmentSecrets?: readonly string[];
      /** The step of reading it, while it is being read. */
      readonly step?: string;
      /** Why it could not be read the last time. */
      readonly error?: Failure;
    }
  | { readonly kind: 'object'; readonly source: DataSourceView; readonly object: DataObjectView }
  | {
      readonly kind: 'column';
      readonly source: DataSourceView;
      readonly object: DataObjectView;
      readonly column: ColumnView;
    }
  | {
      readonly kind: 'failure';
      readonly source: DataSourceView;
      readonly error: Failure;
      /** Missing secrets of the source. */
      readonly missingSecrets: readonly string[];
    }
  /** The list below the source is incomplete or empty. */
  | { readonly kind: 'note'; readonly source: DataSourceView; readonly message: string }
  /** Target of the row: a sources file, or the list of all of them. */
  | { readonly kind: 'unreadable'; readonly uri?: string; readonly error: Failure };

/** Distinguishes sources of several files. */
export function keyOf({ uri, name }: DataSourceView): string {
  return `${uri} ${name}`;
}

/** Stable id, as rows are recreated on every request. */
export function idOf(node: DataSourceNode): string | undefined {
  switch (node.kind) {
    case 'source':
      return keyOf(node.source);
    case 'object':
      return `${keyOf(node.source)} ${node.object.name}`;
    case 'column':
      return `${keyOf(node.source)} ${node.object.name} ${node.column.name}`;
    case 'failure':
    case 'note':
    case 'unreadable':
      return undefined;
  }
}

/** Appearance of a row. */
export function dataSourceItem(node: DataSourceNode): TreeItem {
  const item = itemOf(node);
  const id = idOf(node);
  if (id !== undefined) item.id = id;
  return item;
}

function itemOf(node: DataSourceNode): TreeItem {
  switch (node.kind) {
    case 'source':
      return sourceItem(node);
    case 'object':
      return objectItem(node.object, node.source.abilities);
    case 'column':
      return columnItem(node.column);
    case 'failure':
      return failureItem(node);
    case 'note':
      return noteItem(node);
    case 'unreadable':
      return unreadableItem(node);
  }
}

function sourceItem({
  source: { uri, name, kind, icon, abilities, secrets, secretVariables = {}, objectCount },
  missingSecrets,
  environmentSecrets = [],
  step,
  error,
}: Extract<DataSourceNode, { kind: 'source' }>): TreeItem {
  const item = new TreeItem(name, TreeItemCollapsibleState.Collapsed);
  const missing = missingSecrets.length > 0 ? [l10n.t('no secret set')] : [];
  const count = objectCount === undefined ? [] : [objectCountText(objectCount)];
  const reading = step === undefined ? [] : [l10n.t('reading…')];
  const fromEnvironment = environmentSecrets.length > 0 ? [l10n.t('secret from the environment')] : [];
  const failure = step === undefined && error ? [error.shortMessage ?? error.message] : [];
  // A reason takes the whole row; other facts are in the tooltip.
  item.description = [
    kind,
    ...(failure.length > 0 ? failure : [...reading, ...count, ...missing, ...fromEnvironment]),
  ].join(' · ');
  item.iconPath = failure.length > 0 ? warningIcon() : new ThemeIcon(icon);
  item.tooltip = tooltip(
    name,
    l10n.t('{0} data source in {1}', kind, workspace.asRelativePath(Uri.parse(uri))),
    ...(failure.length > 0 && error ? [error.message, ...(error.remedy === undefined ? [] : [error.remedy])] : []),
    ...count,
    ...(step === undefined ? [] : [step]),
    ...(missingSecrets.length > 0 ? [l10n.t('Secrets that are not set: {0}', missingSecrets.join(', '))] : []),
    ...environmentSecrets.map((secret) =>
      l10n.t('Secret {0}: environment variable {1}', secret, secretVariables[secret] ?? ''),
    ),
  );
  // Context value with the capabilities of the source, for menus.
  item.contextValue = ['source', ...(secrets.length > 0 ? ['secret'] : []), ...abilities].join(' ');
  return item;
}

function objectCountText(count: number): string {
  return count === 1 ? l10n.t('1 data object') : l10n.t('{0} data objects', count.toLocaleString());
}

function objectItem(object: DataObjectView, abilities: DataSourceView['abilities']): TreeItem {
  const { name, kind, rowEstimate, dataSize } = object;
  const item = new TreeItem(name, TreeItemCollapsibleState.Collapsed);
  const rows = rowEstimate === undefined ? [] : [l10n.t('about {0} rows', rowEstimate.toLocaleString())];
  item.description = [...rows, ...(dataSize === undefined ? [] : [sizeText(dataSize)])].join(' · ');
  item.iconPath = new ThemeIcon(objectIcons[kind]);
  item.tooltip = tooltip(name, ...objectFacts(object));
  item.contextValue = ['object', ...abilities].join(' ');
  return item;
}

const senseIcons: Readonly<Record<ColumnView['sense'], string>> = {
  timestamp: 'clock',
  date: 'calendar',
  time: 'clock',
  integer: 'symbol-number',
  number: 'symbol-number',
  text: 'symbol-string',
  boolean: 'symbol-boolean',
  json: 'json',
  binary: 'symbol-field',
  other: 'symbol-field',
};

const objectIcons: Readonly<Record<DataObjectView['kind'], string>> = {
  table: 'table',
  'partitioned table': 'table',
  partition: 'table',
  'foreign table': 'table',
  view: 'eye',
  'materialized view': 'eye',
  file: 'file',
  endpoint: 'table',
};

function columnItem({ name, type, sense, key, nullable, references, comment, nullShare }: ColumnView): TreeItem {
  const item = new TreeItem(name);
  item.description = [type, ...(references === undefined ? [] : [`→ ${references}`])].join(' · ');
  item.iconPath = new ThemeIcon(key ? 'key' : senseIcons[sense]);
  const share = nullShare === undefined ? [] : [l10n.t('{0} % empty', Math.round(nullShare * 100))];
  const facts = [type, key ? l10n.t('key') : '', nullable ? '' : l10n.t('not null'), ...share].filter(
    (fact) => fact !== '',
  );
  item.tooltip = tooltip(name, ...(comment ? [comment] : []), facts.join(' · '));
  item.contextValue = 'column';
  return item;
}

/** Command and label of a failure row. */
interface Remedy {
  readonly title: string;
  readonly hint: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

function failureItem(node: Extract<DataSourceNode, { kind: 'failure' }>): TreeItem {
  const { code, message, shortMessage = message, remedy } = node.error;
  if (code === 'catalog-unknown') return notReadItem(node);
  // The parent row shows the source name, and space is limited.
  const item = warningItem([shortMessage, remedy], remedyOf(node));
  // The menu opens the source: the failure message comes from it.
  item.contextValue = 'failure source';
  return item;
}

/** Not read yet, because that may need a secret; this is not a failure. */
function notReadItem({ source, missingSecrets, error }: Extract<DataSourceNode, { kind: 'failure' }>): TreeItem {
  const asks = missingSecrets.length > 0;
  const title = asks ? l10n.t('Enter Secret and Read…') : l10n.t('Read Data Objects');
  const item = new TreeItem(title);
  item.iconPath = new ThemeIcon(asks ? 'key' : 'refresh');
  const need = asks ? [l10n.t('Reading them needs the secret {0}, which is not set.', missingSecrets.join(', '))] : [];
  item.tooltip = tooltip(error.message, ...need);
  item.command = { title, command: commandIds.refreshSource, arguments: [sourceOf(source)] };
  item.contextValue = 'failure source';
  return item;
}

/** Argument of commands for a source. */
function sourceOf(source: DataSourceView): DataSourceNode {
  return { kind: 'source', source, missingSecrets: [] };
}

function remedyOf({ source, error }: Extract<DataSourceNode, { kind: 'failure' }>): Remedy {
  switch (error.code) {
    case 'workspace-untrusted':
      return {
        title: l10n.t('Manage Trust'),
        hint: l10n.t('Click to manage the trust of the workspace.'),
        command: 'workbench.trust.manage',
      };
    case 'authentication-failed':
      if (source.secrets.length === 0) break;
      return {
        title: l10n.t('Set Secret'),
        hint: l10n.t('Click to set the secret.'),
        command: commandIds.setSecret,
        arguments: [sourceOf(source)],
      };
    case 'source-config':
    case 'environment-variable-missing':
    case 'file-missing':
      return openFile(source.uri, source.range);
  }
  return {
    title: l10n.t('Try Again'),
    hint: l10n.t('Click to try again.'),
    command: commandIds.refreshSource,
    arguments: [sourceOf(source)],
  };
}

function noteItem({ source, message }: Extract<DataSourceNode, { kind: 'note' }>): TreeItem {
  return warningItem([message], {
    title: l10n.t('Diagnose Data Source'),
    hint: l10n.t('Click to find out why.'),
    command: commandIds.diagnoseSource,
    arguments: [sourceOf(source)],
  });
}

function unreadableItem({ uri, error }: Extract<DataSourceNode, { kind: 'unreadable' }>): TreeItem {
  const said = [error.message, error.remedy];
  if (uri === undefined) {
    const hint = l10n.t('Click to try again.');
    return warningItem(said, { title: l10n.t('Try Again'), hint, command: commandIds.refreshSource });
  }
  const item = warningItem(said, openFile(uri, error.range));
  // The file name comes first, because space is limited.
  item.description = item.label as string;
  item.label = workspace.asRelativePath(Uri.parse(uri));
  return item;
}

function openFile(uri: string, range: TextRange | undefined): Remedy {
  const { line, character } = range?.start ?? { line: 0, character: 0 };
  return {
    title: l10n.t('Open File'),
    hint: l10n.t('Click to open the file.'),
    command: 'vscode.open',
    arguments: [Uri.parse(uri), { selection: new Range(line, character, line, character) }],
  };
}

function warningIcon(): ThemeIcon {
  return new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
}

function warningItem(parts: readonly (string | undefined)[], remedy: Remedy): TreeItem {
  const said = parts.filter((part) => part !== undefined).map(sentence);
  const item = new TreeItem(said.join(' '));
  item.iconPath = warningIcon();
  item.tooltip = tooltip(...said, remedy.hint);
  item.command = { title: remedy.title, command: remedy.command, arguments: [...(remedy.arguments ?? [])] };
  item.contextValue = 'failure';
  return item;
}
