import type { SourceCheck } from '../../../protocol/source-checks.ts';
import type { Catalog, CatalogContent, SqlDialect } from '../catalog/catalog.ts';
import type { CompiledQuery, PlanStatement, QueryStep } from '../query/compiled-query.ts';
import type { LoadOptions, LoadResult, OperationOptions, QueryColumn, StagedColumn } from './load-result.ts';
import type { BuiltGraph, DropGraphsOptions, SourceBuild, SourceBuildOptions } from './source-build.ts';
import type { SourceError } from './source-error.ts';
import type { StagingDatabase } from '../store/staging-database.ts';

export type { LoadOptions, LoadResult, OperationOptions, QueryColumn, StagedColumn } from './load-result.ts';

/** What every kind of data source can do. A connector holds no open connection until one of its methods is called. */
export interface Connector {
  readonly kind: string;
  readonly dialect: SqlDialect;
  /** IANA name (docs/semantics.md#82-times-without-zone). */
  readonly timeZone: string;
  /** True when rows have an order of their own (files); ties then keep it. */
  readonly hasRowOrder: boolean;
  /** Reads the catalog. Rejects with a `SourceError`. */
  describe(options: DescribeOptions): Promise<Catalog>;
  /** Runs a query read-only, capped and with a timeout. Rejects with a `SourceError`, positions relative to `query.sql`. */
  preview(query: CompiledQuery, options: PreviewOptions): Promise<Preview>;
  /**
   * The literal statements or requests that `preview` and `load` execute, the core SELECT among them unchanged. Nothing is asked for a
   * preview; for an import the source may be asked what decides on its requests. Rejects with a `SourceError` then.
   */
  steps(query: CompiledQuery, purpose: QueryPurpose, options?: OperationOptions): Promise<readonly QueryStep[]>;
  /** The statements with which a pull finds out whether queries could give other rows than before; absent where it does not ask. */
  unchangedSteps?(queries: readonly CompiledQuery[]): readonly PlanStatement[];
  /** Opens one consistent snapshot for an import. */
  openPull(staging: StagingDatabase, options: PullOptions): Promise<Pull>;
  /** Opens a build of a graph inside the source (`engine: source`), for a source that can do that. Rejects with a `SourceError`. */
  openBuild?(options: SourceBuildOptions): Promise<SourceBuild>;
  /**
   * Removes graphs that were built inside the source, all of them or none; one that is not there any more is no error. Rejects with a `SourceError`,
   * also when a schema holds anything else.
   */
  dropGraphs?(graphs: readonly BuiltGraph[], options: DropGraphsOptions): Promise<void>;
  /** Where the source is on the network, for a source that is there. */
  readonly address?: HostAddress;
  /** What only the source itself can tell of credentials, versions and permissions. Rejects with a `SourceError`. */
  examine?(options: ExamineOptions): Promise<readonly SourceCheck[]>;
  /**
   * Why the source refuses each query, or an import of it would fail, or undefined, without running it; only of sources that can be
   * asked so. Rejects with a `SourceError` when it cannot be asked at all.
   */
  checkQueries?(
    queries: readonly CompiledQuery[],
    options: OperationOptions,
  ): Promise<readonly (SourceError | undefined)[]>;
  /** Ends connections; idempotent. */
  close(): Promise<void>;
}

/** A connector as the code of its kind makes it; `createConnector` adds what the kind states. */
export interface KindConnector extends Omit<Connector, 'kind' | 'dialect' | 'hasRowOrder' | 'describe'> {
  /** Reads what the source holds. Rejects with a `SourceError`. */
  describe(options: DescribeOptions): Promise<CatalogContent>;
}

export interface HostAddress {
  readonly host: string;
  readonly port: number;
  /** The proxy that leads there, without credentials. */
  readonly proxy?: string;
}

export type QueryPurpose =
  | { readonly kind: 'preview'; readonly limit: number }
  /** `queries`: all of the import, as sources that are fetched read a data object once for all of them. `table`: what the rows are staged as. */
  | { readonly kind: 'import'; readonly queries?: readonly CompiledQuery[]; readonly table?: string };

export interface DescribeOptions extends OperationOptions {
  /** What was read before with the same settings. */
  readonly known?: Catalog | undefined;
  /** Whether that will do where the source says that nothing has changed: not for somebody who asks to read it again. */
  readonly mayReuse?: boolean;
}

export interface ExamineOptions extends OperationOptions {
  /** Data objects that entity graphs use: what can be tried out with one only is tried out with one of these. */
  readonly used?: readonly string[];
}

export interface PullOptions extends OperationOptions {
  /** The queries that are going to be loaded: sources that are fetched (REST) fetch each data object once for all of them. */
  readonly queries?: readonly CompiledQuery[];
  /** Rows of each element that are going to be loaded at most (`--sample`): relationships then need only what belongs to them. */
  readonly sample?: number;
  /** Only events from this time on are going to be built (`--since`; ISO 8601, UTC). */
  readonly since?: string;
  /** Nothing is taken from what an import before has kept (`--full`). */
  readonly isFull?: boolean;
}

export interface PreviewOptions extends OperationOptions {
  /** Rows returned at most, fewer where they take too much; one more is read to find out whether there are more. */
  readonly limit: number;
  /** Milliseconds; the source's `statementTimeout` when not given. */
  readonly timeoutMs?: number;
  /**
   * Returns texts that cannot be cast to their column's type as they are and lists them in `castFailures`, instead of failing. Only for a
   * query that selects columns of one data object and does nothing else.
   */
  readonly keepCastFailures?: boolean;
}

export interface Preview {
  readonly columns: readonly QueryColumn[];
  /** JSON values: 64-bit integers and decimals as strings, times as ISO 8601 UTC with microseconds, binary as hex. */
  readonly rows: readonly (readonly CellValue[])[];
  readonly truncated: boolean;
  /** As in `TestQueryResult`. */
  readonly sizeLimit?: number;
  readonly durationMs: number;
  /** Cells with a text that is no value of its column's type. */
  readonly castFailures?: readonly CastFailure[];
}

/** Row and column of a preview, counted from 0. */
export interface CastFailure {
  readonly row: number;
  readonly column: number;
}

export type CellValue = string | number | boolean | null;

/** A consistent read of a source during one import. */
export interface Pull {
  /** Columns of a query as `load` would stage them, without running it. */
  columnsOf(query: CompiledQuery, options: OperationOptions): Promise<readonly StagedColumn[]>;
  /**
   * Equal in two pulls only when the query gives equal rows in both; undefined where the source cannot tell. Absent for sources that never can,
   * or shall not.
   * Rejects as `load` does.
   */
  fingerprint?(query: CompiledQuery, options: OperationOptions): Promise<string | undefined>;
  /** Creates `table` in the staging database from the query's rows, one staged column per result column, in order. */
  load(query: CompiledQuery, table: string, options: LoadOptions): Promise<LoadResult>;
  /** Ends the snapshot and removes temporary files; idempotent. */
  close(): Promise<void>;
}
