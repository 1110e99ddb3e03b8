import type { CompiledQuery, PlanStatement, QueryStep } from '../query/compiled-query.ts';
import type { LoadOptions, LoadResult, OperationOptions, StagedColumn } from './load-result.ts';

/** A graph that is built inside its source: no row leaves. What else holds, its abilities say. */
export interface SourceBuild {
  readonly abilities: BuildAbilities;
  /** What the user should know of this server, such as that it was never tried. */
  readonly warnings: readonly string[];
  /** The schema in which the graph is built until it takes its place. */
  readonly sideSchema: string;
  /** Columns of a query as `stage` would stage them, without running it. */
  columnsOf(query: CompiledQuery, options: OperationOptions): Promise<readonly StagedColumn[]>;
  /** How the session of the build began; where it is `readOnly`, how that of a build would. */
  readonly opening: BuildPhase;
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
  /** What `publish` does. */
  readonly publishing: BuildPhase;
  /** Puts the graph in the place of the one before, which is kept beside it. */
  publish(signal: AbortSignal): Promise<void>;
  /** Ends the connection and leaves nothing of what was not published. Idempotent. */
  close(): Promise<void>;
}

/** What an engine can do for a build. */
export interface BuildAbilities {
  /** All queries of a build see the rows of one moment. */
  readonly hasSnapshot: boolean;
  /** The new graph takes the place of the one before in one moment: nobody finds parts of both, or neither. */
  readonly publishesAtomically: boolean;
  /** Whether the engine can tell a text that is a time from one that is none, or the engine that could. */
  readonly textTimes: true | { readonly need: string };
  /** The engine has several nodes, over which the tables of a graph are spread. */
  readonly distribute?: DistributeTable;
}

/**
 * The statements that spread the rows of a table over the nodes of an engine by a column.
 * @param beside the table beside whose rows they lie, where it is not the first. Both tables as SQL names them.
 */
export type DistributeTable = (table: string, column: string, beside?: string) => string;

/** Statements of a build as its plan and report show them. */
export interface BuildPhase {
  /** Unique in a plan. */
  readonly name: string;
  readonly title: string;
  readonly statements: readonly PlanStatement[];
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
