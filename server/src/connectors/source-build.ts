import type { CompiledQuery, PlanStatement, QueryStep } from '../query/compiled-query.ts';
import type { LoadOptions, LoadResult, OperationOptions, StagedColumn } from './connector.ts';

/** A graph that is built inside its source: one snapshot, one transaction, no row leaves. */
export interface SourceBuild {
  /** What the user should know of this server, such as that it was never tried. */
  readonly warnings: readonly string[];
  /** Whether the server can tell a text that is a time from one that is none. */
  readonly readsTextTimes: boolean;
  /** The server has several nodes, over which the tables of a graph are spread. */
  readonly nodes?: 'citus';
  /** The schema in which the graph is built until it takes its place. */
  readonly sideSchema: string;
  /** Columns of a query as `stage` would stage them, without running it. */
  columnsOf(query: CompiledQuery, options: OperationOptions): Promise<readonly StagedColumn[]>;
  /** The statements with which the session and its transaction began; where it is `readOnly`, those of a build. */
  readonly beginSteps: readonly PlanStatement[];
  /** The statements that `stage` would execute. */
  stageSteps(query: CompiledQuery, table: string, options: OperationOptions): Promise<readonly QueryStep[]>;
  /** Makes a temporary table of the rows of a query. */
  stage(query: CompiledQuery, table: string, options: Pick<LoadOptions, 'signal' | 'sample'>): Promise<LoadResult>;
  /** Runs a statement of the build. Resolves to the rows that it has made. */
  run(sql: string, options?: { readonly signal?: AbortSignal }): Promise<number | undefined>;
  /** Values are the server's own texts. */
  query(
    sql: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** The statements of `publish`. */
  readonly publishSteps: readonly PlanStatement[];
  /** Puts the graph in the place of the one before, which is kept beside it, and ends the transaction. */
  publish(signal: AbortSignal): Promise<void>;
  /** Ends the connection; what was not published was never there. Idempotent. */
  close(): Promise<void>;
}

export interface SourceBuildOptions extends OperationOptions {
  /** The schema of the graph; created when it is not there. */
  readonly schema: string;
  /** Whose graph may be replaced there. */
  readonly owner: GraphOwner;
  /** Only to ask what would be done: nothing is created, nothing locked. */
  readonly readOnly?: boolean;
}

export interface GraphOwner {
  /** As the table `run` names it: also another clone of the entity graph is its owner. */
  readonly entity: string;
  /** Ids of earlier imports, also under earlier names of the file. */
  readonly runs: readonly string[];
}

/** A graph that was built inside its source. */
export interface BuiltGraph {
  readonly schema: string;
  /** The id in its table `run`. */
  readonly run: string;
}

export interface DropGraphsOptions extends OperationOptions {
  /** Whether a table or view of this name is part of a graph. */
  readonly isGraphRelation: (name: string) => boolean;
}
