import type { ApiList, ApiRequest, ApiView } from '../../../protocol/api-explorer.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { DataSource } from '../model/data-sources.ts';
import type { SourceEntry } from '../model/edits/add-source-entry.ts';
import type { ConnectorContext } from './connector-context.ts';
import type { ConnectionSettings } from './http/client-settings.ts';

/** What the API explorer asks of a kind of source that answers HTTP requests. */
export interface SourceExplorer {
  /**
   * How requests are sent and what is proposed. Sends nothing, but for a document of the interface at an address. Rejects as
   * `resolveSource` does.
   */
  open(source: DataSource, context: ConnectorContext, options: ExploreOptions): Promise<ExploredSource>;
  /** The entry of a request that lists records. Throws `source-config` when it cannot be one. */
  entryOf(source: DataSource, request: ApiRequest, list: ApiList, catalog: Catalog | undefined): ExploredEntry;
}

export interface ExploreOptions {
  /** Whether endpoints are proposed; finding them may take a request. */
  readonly endpoints: boolean;
  /** The catalog of the source, when it is known. */
  readonly catalog: Catalog | undefined;
}

export interface ExploredSource {
  readonly connection: ConnectionSettings;
  /** Texts that no message may contain; grows with the tokens that are handed out. */
  readonly secrets: Set<string>;
  readonly view: Omit<ApiView, 'uri' | 'dataSource'>;
}

/** An entry of a data source for what a request lists. */
export interface ExploredEntry {
  /** The setting that it is added to. */
  readonly list: string;
  readonly entry: SourceEntry;
  /** What the setting stands for where it is missing. */
  readonly others?: readonly SourceEntry[];
  /** What of the request does not hold for the entry, one sentence each. */
  readonly notes: readonly string[];
}
