import type { SourceQuestion } from '../../../protocol/source-kinds.ts';
import type { DataObject, SqlDialect } from '../catalog/catalog.ts';
import type { DataSource } from '../model/data-sources.ts';
import type { ConnectorContext } from './connector-context.ts';
import type { KindConnector } from './connector.ts';
import type { ConnectionSettings } from './http/client-settings.ts';
import type { SourceExplorer } from './source-explorer.ts';
import type { Settings, SourceSettings } from './source-settings.ts';

/**
 * Everything that the product knows about one kind of data source. Nothing outside the kind's folder asks for a kind by its name.
 * Every member is required, so that a new kind cannot leave one out by accident; undefined says that the kind has no such part.
 * The descriptor is loaded when the language server starts; functions that end in `import()` load their code on first use.
 */
export interface SourceKind {
  /** The value of `kind` in a sources file, such as `csv`. */
  readonly name: string;
  /** As people read it in lists and messages. */
  readonly label: string;
  readonly description: string;
  /** Name of a codicon. */
  readonly icon: string;
  /** The page that describes the kind, or a section of one, from the root of the project. */
  readonly docPage: string;
  /** Proposed as the name of a new data source. */
  readonly proposedName: string;
  /** What *Add Data Source* asks. */
  readonly questions: readonly SourceQuestion[];
  /** The SQL that `where`, `joins` and expressions are written in. */
  readonly dialect: SqlDialect;
  readonly capabilities: SourceCapabilities;
  /** What other products call the kind, in lower case: written by mistake, the name is proposed instead. */
  readonly otherNames: readonly string[];
  /** Settings from which the kind can be told while `kind` is missing. */
  readonly tellingSettings: readonly string[];
  readonly snippet: SourceSnippet;
  /** JSON Schema definitions: that of the kind's name describes its settings, the others are referred to by it. */
  readonly settingsSchema: Readonly<Record<string, object>>;
  /** Said of the kind, in parentheses, where the values of `kind` are listed. */
  readonly kindNote: string | undefined;
  /** The setting that names local files; changes to them make the catalog outdated. */
  readonly fileSetting: { readonly name: string; readonly mayBeGlob: boolean } | undefined;
  /** The setting with which a connection to another machine may go on without encryption. */
  readonly unencryptedSetting: ((settings: Settings) => UnencryptedSetting | undefined) | undefined;
  /** The element of a new graph for a data object that the usual guess does not fit; undefined where it does. */
  readonly scaffoldElement:
    ((object: DataObject, chosen: readonly DataObject[]) => ScaffoldedElement | undefined) | undefined;
  /** Reads the settings and lists the servers that receive their values. */
  readonly settings: () => Promise<SourceSettings<unknown>>;
  readonly connector: () => Promise<ConnectorFactory>;
  /** For kinds whose HTTP interface can be explored by hand. */
  readonly explorer: (() => Promise<SourceExplorer>) | undefined;
  /** The HTTP connection, for kinds that users may log in to in the browser. */
  readonly browserConnection: (() => Promise<ConnectionFactory>) | undefined;
}

export interface SourceCapabilities {
  /** Rows have an order of their own, which ties keep. */
  readonly hasRowOrder: boolean;
  /** Records are fetched first; queries then run on the fetched records. */
  readonly isFetched: boolean;
  /** Reading needs neither network nor secrets, so the catalog is read whenever it is needed. */
  readonly isAtHand: boolean;
  /** Reading the catalog loads DuckDB, which the language server leaves to another process. */
  readonly isReadByDuckdb: boolean;
  /** An import reads all of its queries in one snapshot of the source. */
  readonly hasSnapshot: boolean;
  /** Graphs can be built inside the source (`engine: source`). */
  readonly buildsInside: boolean;
  /** Records can be created, changed and deleted, with attachments, staging tables and endpoints: the actions of the platform. */
  readonly writesRecords: boolean;
}

/** A new data source, as completion of a sources file inserts it. */
export interface SourceSnippet {
  readonly label: string;
  readonly description: string;
  /** In the syntax of snippets. */
  readonly lines: readonly string[];
}

/** Keys of an element, as they are written into a new graph. */
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
  /** The machine that the connection leads to. */
  readonly host: string;
  /** Where the setting stands below the data source. */
  readonly path: readonly string[];
  readonly value: string;
  /** Values to set instead. */
  readonly best: string;
  readonly least: string;
}

/** Rejects as `resolveSource` does when the settings cannot be used. */
export type ConnectorFactory = (source: DataSource, context: ConnectorContext) => Promise<KindConnector>;

/** Sends nothing. Rejects as `resolveSource` does when the settings cannot be used. */
export type ConnectionFactory = (source: DataSource, context: ConnectorContext) => Promise<ConnectionSettings>;
