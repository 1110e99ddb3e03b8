import type { SourceAbility, SourceKindView, SourceQuestion } from '../../../protocol/source-kinds.ts';
import type { DataObject, SqlDialect } from '../catalog/catalog.ts';
import type { DataSource } from '../model/data-sources.ts';
import type { ConnectorContext } from './connector-context.ts';
import type { KindConnector } from './connector.ts';
import type { ServerGreeting } from './database-server/identify-server.ts';
import type { OpenGivenRows } from './given/given-rows.ts';
import type { ConnectionSettings } from './http/client-settings.ts';
import type { OpenRowsFile } from './rows-file.ts';
import type { SourceExplorer } from './source-explorer.ts';
import type { Settings, SourceSettings } from './source-settings.ts';
import type { RecordKey, SourceWriter } from './source-writer.ts';

/**
 * Everything that the product knows about one kind of data source. Code outside the kind's folder never compares names
 * of kinds. Every member is required, so that a new kind cannot omit one by accident; undefined means that the kind has
 * no such part. The descriptor is loaded when the language server starts; functions that end in `import()` load their
 * code on first use.
 */
export interface SourceKind {
  /** The value of `kind` in a sources file, such as `csv`. */
  readonly name: string;
  /** Display name. */
  readonly label: string;
  readonly description: string;
  /** Name of a codicon. */
  readonly icon: string;
  /** Path of the page or section that describes the kind, from the project root. */
  readonly docPage: string;
  /** Suggested name of a new data source. */
  readonly proposedName: string;
  /** The questions of *Add Data Source*. */
  readonly questions: readonly SourceQuestion[];
  /** The SQL dialect of `where`, `joins` and expressions. */
  readonly dialect: SqlDialect;
  readonly capabilities: SourceCapabilities;
  /** Names of the kind in other products, in lower case; a quick fix replaces them. */
  readonly otherNames: readonly string[];
  /** Settings that identify the kind when `kind` is missing. */
  readonly tellingSettings: readonly string[];
  readonly snippet: SourceSnippet;
  /** JSON Schema definitions: the one named after the kind describes its settings and refers to the others. */
  readonly settingsSchema: Readonly<Record<string, object>>;
  /** Remark in parentheses in the list of `kind` values. */
  readonly kindNote: string | undefined;
  /** The setting with local files; their changes invalidate the catalog. */
  readonly fileSetting: { readonly name: string; readonly mayBeGlob: boolean } | undefined;
  /** Files that each can be a graph of their own, named by `fileSetting`; absent without such files. */
  readonly wholeFiles?: WholeFiles;
  /** The setting that permits an unencrypted connection to another machine. */
  readonly unencryptedSetting: ((settings: Settings) => UnencryptedSetting | undefined) | undefined;
  /** The setting that says which columns are times, and how they are stored; absent where columns have types. */
  readonly timesSetting?: string;
  /** The element of a new graph for a data object for which the default does not fit; undefined otherwise. */
  readonly scaffoldElement:
    ((object: DataObject, chosen: readonly DataObject[]) => ScaffoldedElement | undefined) | undefined;
  /** Parses the settings and lists the servers that receive their values. */
  readonly settings: () => Promise<SourceSettings<unknown>>;
  readonly connector: () => Promise<ConnectorFactory>;
  /** For kinds with an HTTP interface that can be explored. */
  readonly explorer: (() => Promise<SourceExplorer>) | undefined;
  /** For kinds whose records, attachments and staging tables can be changed. */
  readonly writer: KindWriter | undefined;
  /** For kinds that read files: opens one that no data source names. */
  readonly rowsFile: (() => Promise<OpenRowsFile>) | undefined;
  /** Runs queries on given rows, without the source; undefined where only the source can run them. */
  readonly givenRows: (() => Promise<OpenGivenRows>) | undefined;
  /** Recognises servers of the kind that answer at the address of another one; undefined for kinds without such servers. */
  readonly greeting: ServerGreeting | undefined;
  /** The HTTP connection, for kinds with a browser login. */
  readonly browserConnection: (() => Promise<ConnectionFactory>) | undefined;
}

/** Files by their extensions, without a dot. */
interface WholeFiles {
  readonly endings: readonly string[];
  /** Extensions that other kinds have, too: what the begin of a file of this kind contains. */
  readonly shared?: { readonly endings: readonly string[]; readonly begin: RegExp };
}

export interface KindWriter {
  readonly recordKey: RecordKey;
  readonly load: () => Promise<SourceWriter>;
}

interface SourceCapabilities {
  /** Rows have an inherent order, which ties preserve. */
  readonly hasRowOrder: boolean;
  /** Records are fetched first, and queries run on them locally. */
  readonly isFetched: boolean;
  /** Reading needs neither network nor secrets, so the catalog is read whenever needed. */
  readonly isAtHand: boolean;
  /** Reading the catalog needs DuckDB, which runs in a separate process. */
  readonly isReadByDuckdb: boolean;
  /** An import reads all of its queries in one snapshot. */
  readonly hasSnapshot: boolean;
  /** Graphs can be built inside the source (`engine: source`). */
  readonly buildsInside: boolean;
  /** The source can run queries on given rows in place of its own (`openGivenPull`). */
  readonly runsGivenRows: boolean;
}

/** Snippet of a new data source in a sources file. */
interface SourceSnippet {
  readonly label: string;
  readonly description: string;
  /** In snippet syntax. */
  readonly lines: readonly string[];
}

/** Fields of an element in a new graph. */
export interface ScaffoldedElement {
  readonly activityName: string;
  readonly dataObject: string;
  readonly key?: string;
  readonly entityType?: string;
  readonly startTimestamp: string;
  readonly properties: readonly string[];
  readonly where?: string;
}

export interface UnencryptedSetting {
  /** The host of the connection. */
  readonly host: string;
  /** Path of the setting below the data source. */
  readonly path: readonly string[];
  readonly value: string;
  /** Alternative values. */
  readonly best: string;
  readonly least: string;
}

/** Rejects as `resolveSource` does when the settings cannot be used. */
export type ConnectorFactory = (source: DataSource, context: ConnectorContext) => Promise<KindConnector>;

/** Sends nothing. Rejects like `resolveSource` for invalid settings. */
type ConnectionFactory = (source: DataSource, context: ConnectorContext) => Promise<ConnectionSettings>;

/** A source kind as shown by the client. */
export function sourceKindView(kind: SourceKind): SourceKindView {
  const { name, label, description, icon, proposedName, questions } = kind;
  return { name, label, description, icon, proposedName, questions, abilities: abilitiesOf(kind) };
}

/** Capabilities that enable commands for a source kind. */
export function abilitiesOf({ explorer, browserConnection, writer }: SourceKind): readonly SourceAbility[] {
  return [
    ...(explorer ? (['explore'] as const) : []),
    ...(browserConnection ? (['signIn'] as const) : []),
    ...(writer ? (['writeRecords'] as const) : []),
  ];
}
