import type { ApiList, ApiRequest, ApiView } from '../../../protocol/api-explorer.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { DataSource } from '../model/data-sources.ts';
import type { SourceEntry } from '../model/edits/add-source-entry.ts';
import type { ConnectorContext } from './connector-context.ts';
import type { ConnectionSettings } from './http/client-settings.ts';

/** API explorer support of a source kind with HTTP requests. */
export interface SourceExplorer {
  /**
   * How requests are sent and endpoints listed. Sends nothing, except to load an OpenAPI document from an address.
   * Rejects like
   * `resolveSource`.
   */
  open(source: DataSource, context: ConnectorContext, options: ExploreOptions): Promise<ExploredSource>;
  /** The settings entry of a list request. Throws `source-config` when it cannot be one. */
  entryOf(source: DataSource, request: ApiRequest, list: ApiList, catalog: Catalog | undefined): ExploredEntry;
}

interface ExploreOptions {
  /** Whether to list endpoints, which may need a request. */
  readonly endpoints: boolean;
  /** The catalog of the source, if known. */
  readonly catalog: Catalog | undefined;
}

export interface ExploredSource {
  readonly connection: ConnectionSettings;
  /** Texts to redact in messages; new tokens are added. */
  readonly secrets: Set<string>;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The `Accept` header of requests to a path, where some responses are not JSON; undefined for JSON. */
  readonly acceptOf?: (path: string) => string | undefined;
  readonly view: Omit<ApiView, 'uri' | 'dataSource'>;
}

/** A settings entry for a list request. */
export interface ExploredEntry {
  /** The setting that contains the entry. */
  readonly list: string;
  readonly entry: SourceEntry;
  /** Default of the setting when it is missing. */
  readonly others?: readonly SourceEntry[];
  /** Limitations of the entry compared with the request, one sentence each. */
  readonly notes: readonly string[];
}
