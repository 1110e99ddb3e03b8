import type { DiagnosisStep } from '../../../protocol/diagnosis.ts';
import type { Catalog, CatalogContent, SqlDialect } from '../catalog/catalog.ts';
import type { DraftModel } from '../draft/draft-model.ts';
import type { CompiledQuery, PlanStatement, QueryStep } from '../query/compiled-query.ts';
import type { GivenData } from './given/given-data.ts';
import type { LoadOptions, LoadResult, OperationOptions, QueryColumn, StagedColumn } from './load-result.ts';
import type {
  BuiltGraph,
  BuiltGraphReader,
  DropGraphsOptions,
  GraphToDrop,
  SourceBuild,
  SourceBuildOptions,
} from './source-build.ts';
import type { SourceError } from './source-error.ts';
import type { StagingDatabase } from '../store/staging-database.ts';

export type {
  CachedRows,
  LoadOptions,
  LoadResult,
  OperationOptions,
  QueryColumn,
  StagedColumn,
} from './load-result.ts';

/** The interface of all source kinds. A connector opens connections only when a method is called. */
export interface Connector {
  readonly kind: string;
  readonly dialect: SqlDialect;
  /** IANA name (docs/semantics.md#82-times-without-zone). */
  readonly timeZone: string;
  /** True when rows have an inherent order (files), which ties preserve. */
  readonly hasRowOrder: boolean;
  /** Reads the catalog. Rejects with a `SourceError`. */
  describe(options: DescribeOptions): Promise<Catalog>;
  /**
   * Runs a query read-only with row, size and time limits. Rejects with a `SourceError`, positions relative to
   * `query.sql`.
   */
  preview(query: CompiledQuery, options: PreviewOptions): Promise<Preview>;
  /**
   * The exact statements or requests of `preview` and `load`, with the core SELECT unchanged. For an import, the source
   * may be contacted if its requests depend on it. Rejects with a `SourceError` then.
   */
  steps(query: CompiledQuery, purpose: QueryPurpose, options?: OperationOptions): Promise<readonly QueryStep[]>;
  /** The statements by which a pull detects changed rows; absent if it does not. */
  unchangedSteps?(queries: readonly CompiledQuery[]): readonly PlanStatement[];
  /** Opens a consistent snapshot for an import. */
  openPull(staging: StagingDatabase, options: PullOptions): Promise<Pull>;
  /**
   * Opens a read-only pull in which the source runs queries on given rows in place of its tables. Absent if the queries
   * can run without the source. It and its calls reject with a `SourceError`, `GivenRowsError` or `CannotRunError`.
   */
  openGivenPull?(data: GivenData, staging: StagingDatabase, options: OperationOptions): Promise<Pull>;
  /** Opens a build of a graph inside the source (`engine: source`), if supported. Rejects with a `SourceError`. */
  openBuild?(options: SourceBuildOptions): Promise<SourceBuild>;
  /** The container of the tables of a graph built by `openBuild`, as the parts of an SQL name. */
  graphPath?(graph: BuiltGraph): readonly string[];
  /**
   * Opens a graph built inside the source for read-only queries; undefined if the schema has no graph, or one of another import.
   * Rejects with a `SourceError`.
   */
  openGraph?(graph: BuiltGraph, options: OperationOptions): Promise<BuiltGraphReader | undefined>;
  /**
   * Drops graphs built inside the source, all or none; missing ones are ignored. Rejects with a `SourceError`, also
   * when a schema contains other objects.
   */
  dropGraphs?(graphs: readonly GraphToDrop[], options: DropGraphsOptions): Promise<void>;
  /**
   * The whole graph, if the source contains one, as event logs do. A first graph then needs no guesses. Rejects with a
   * `SourceError`.
   */
  proposeGraph?(options: OperationOptions): Promise<DraftModel | undefined>;
  /** Network address of the source, if it has one. */
  readonly address?: HostAddress | undefined;
  /**
   * Diagnosis steps that only the source can answer: credentials, versions, permissions. Rejects with a `SourceError`.
   */
  diagnose?(options: DiagnoseOptions): Promise<readonly DiagnosisStep[]>;
  /**
   * For each query, why the source rejects it or its import would fail, or undefined, without running it; only for
   * sources that support it. Rejects with a `SourceError` when the source is unreachable.
   */
  checkQueries?(
    queries: readonly CompiledQuery[],
    options: OperationOptions,
  ): Promise<readonly (SourceError | undefined)[]>;
  /** Closes connections; idempotent. */
  close(): Promise<void>;
}

/** A connector as implemented by its kind; `createConnector` adds the properties of the kind. */
export interface KindConnector extends Omit<Connector, 'kind' | 'dialect' | 'hasRowOrder' | 'describe'> {
  /** Reads the catalog content. Rejects with a `SourceError`. */
  describe(options: DescribeOptions): Promise<CatalogContent>;
}

export interface HostAddress {
  readonly host: string;
  readonly port: number;
  /** The proxy, without credentials. */
  readonly proxy?: string | undefined;
}

export type QueryPurpose =
  | { readonly kind: 'preview'; readonly limit: number }
  /**
   * `queries`: all of the import, because fetched sources read a data object once for all of them. `table`: the staging
   * table.
   */
  | { readonly kind: 'import'; readonly queries?: readonly CompiledQuery[]; readonly table?: string };

export interface DescribeOptions extends OperationOptions {
  /** The cached catalog of the same settings. */
  readonly known?: Catalog | undefined;
  /** Whether it may be returned if the source reports no changes; false for an explicit refresh. */
  readonly mayReuse?: boolean | undefined;
}

export interface DiagnoseOptions extends OperationOptions {
  /** Data objects used by entity graphs; diagnosis steps that need one use them. */
  readonly used?: readonly string[] | undefined;
}

export interface PullOptions extends OperationOptions {
  /** All queries of the import: fetched sources (REST) fetch each data object once for all of them. */
  readonly queries?: readonly CompiledQuery[] | undefined;
  /** Row limit per element (`--sample`): relationships then need only related rows. */
  readonly sample?: number | undefined;
  /** Start of the imported events (`--since`; ISO 8601, UTC). */
  readonly since?: string | undefined;
  /** Ignores the row cache (`--full`). */
  readonly isFull?: boolean | undefined;
}

export interface PreviewOptions extends OperationOptions {
  /** Row limit, reduced by the size limit; one more row is read to detect whether there are more. */
  readonly limit: number;
  /** Time limit in milliseconds; default: the source's `statementTimeout`. */
  readonly timeoutMs?: number | undefined;
  /**
   * Returns texts that cannot be cast to their column's type as they are and lists them in `castFailures`, instead of failing. Only for a
   * query that only selects columns of one data object.
   */
  readonly keepCastFailures?: boolean | undefined;
}

export interface Preview {
  readonly columns: readonly QueryColumn[];
  /** JSON values: 64-bit integers and decimals as strings, times as ISO 8601 UTC with microseconds, binary as hex. */
  readonly rows: readonly (readonly CellValue[])[];
  readonly truncated: boolean;
  /** See `TestQueryResult`. */
  readonly sizeLimit?: number;
  readonly durationMs: number;
  /** What may be wrong with the rows, as messages. */
  readonly warnings?: readonly string[];
  /** Cells with a text that does not fit its column type. */
  readonly castFailures?: readonly CastFailure[];
}

/** 0-based row and column of a preview. */
export interface CastFailure {
  readonly row: number;
  readonly column: number;
}

export type CellValue = string | number | boolean | null;

/** A consistent read of a source during one import. */
export interface Pull {
  /** Problems with the settings of a data source that can be read nevertheless. */
  readonly warnings?: readonly string[];
  /** Columns of a query as `load` would stage them, without running it. */
  columnsOf(query: CompiledQuery, options: OperationOptions): Promise<readonly StagedColumn[]>;
  /**
   * Equal in two pulls only if the query returns equal rows; undefined if unknown. Absent if unsupported or disabled.
   * Rejects like `load`.
   */
  fingerprint?(query: CompiledQuery, options: OperationOptions): Promise<string | undefined>;
  /** Creates `table` in the staging database from the query's rows, with one column per result column, in order. */
  load(query: CompiledQuery, table: string, options: LoadOptions): Promise<LoadResult>;
  /** Ends the snapshot and deletes temporary files; idempotent. */
  close(): Promise<void>;
}
