import type { SqlDialect } from '../catalog/catalog.ts';
import type { DataSource } from '../model/data-sources.ts';
import type { ConnectorContext } from './connector-context.ts';
import type { Connector } from './connector.ts';
import type { ConnectionSettings } from './http/open-client.ts';
import type { SourceSettings } from './source-settings.ts';

/**
 * Everything that the product knows about one kind of data source. Nothing outside the kind's folder asks for a kind by its name.
 * Every member is required, so that a new kind cannot leave one out by accident; undefined says that the kind has no such part.
 * The description itself is loaded with the language server; the functions that end in `import()` load code on first use.
 */
export interface SourceKind {
  /** The value of `kind` in a sources file, such as `csv`. */
  readonly name: string;
  /** The SQL that `where`, `joins` and expressions are written in. */
  readonly dialect: SqlDialect;
  readonly capabilities: SourceCapabilities;
  /** The setting that names local files; changes to them make the catalog outdated. */
  readonly fileSetting: { readonly name: string; readonly mayBeGlob: boolean } | undefined;
  /** Reads the settings and lists the servers that receive their values. */
  readonly settings: () => Promise<SourceSettings<unknown>>;
  readonly connector: () => Promise<ConnectorFactory>;
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
}

/** Rejects as `resolveSource` does when the settings cannot be used. */
export type ConnectorFactory = (source: DataSource, context: ConnectorContext) => Promise<Connector>;

/** Sends nothing. Rejects as `resolveSource` does when the settings cannot be used. */
export type ConnectionFactory = (source: DataSource, context: ConnectorContext) => Promise<ConnectionSettings>;
