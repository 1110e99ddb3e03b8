import type { CompiledQuery, PlanStatement, QueryStep } from '../query/compiled-query.ts';
import type { LoadOptions, LoadResult, OperationOptions, StagedColumn } from './load-result.ts';

/** A build of a graph inside its source, without transferring rows. Its capabilities describe its guarantees. */
export interface SourceBuild {
  readonly abilities: BuildAbilities;
  /** Warnings about this server, such as that it is untested. */
  readonly warnings: readonly string[];
  /** The container of the build's tables, as the parts of an SQL name. */
  readonly side: readonly string[];
  /** Columns of a query as `stage` would stage them, without running it. */
  columnsOf(query: CompiledQuery, options: OperationOptions): Promise<readonly StagedColumn[]>;
  /** Statements that opened the session; with `readOnly`, those of a real build. */
  readonly opening: BuildPhase;
  /** The statements of `stage`. */
  stageSteps(query: CompiledQuery, table: string, options: OperationOptions): Promise<readonly QueryStep[]>;
  /** Creates a temporary table of a query's rows. */
  stage(query: CompiledQuery, table: string, options: Pick<LoadOptions, 'signal' | 'sample'>): Promise<LoadResult>;
  /** Runs a build statement. Resolves to the number of rows. */
  run(sql: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<number | undefined>;
  /** Values are texts as sent by the server. */
  query(
    sql: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /**
   * Queries with custom SQL, whose names resolve as in the user's own queries. The build stays usable after a failure.
   */
  attempt(
    sql: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Statements that `attempt` runs around each of its own, for a plan. */
  readonly attempting: readonly PlanStatement[];
  /** The statements of `publish`. */
  publishing(relations: readonly string[]): BuildPhase;
  /** Publishes the graph, keeping the previous one. @param relations the names of its tables and views */
  publish(relations: readonly string[], signal: AbortSignal): Promise<void>;
  /** Closes the connection and drops everything unpublished. Idempotent. */
  close(): Promise<void>;
}

/** Capabilities of an engine for a build. */
export interface BuildAbilities {
  /** All queries of a build read one snapshot. */
  readonly hasSnapshot: boolean;
  /** Publishing is atomic: readers see the old or the new graph completely. */
  readonly publishesAtomically: boolean;
  /** The engine can test whether a text is a time. */
  readonly textTimes: true | { readonly need: string };
}

/** Warnings about a build without a snapshot or a transaction. */
export function abilityWarnings({ hasSnapshot, publishesAtomically }: BuildAbilities): readonly string[] {
  return [
    ...(hasSnapshot
      ? []
      : [
          'The source has no snapshots: rows that changed during the import may be in one table of the graph and missing in another.',
        ]),
    ...(publishesAtomically
      ? []
      : ['The source replaces graphs table by table: a query during the import may have found parts of two graphs.']),
  ];
}

/** Statements of a build as shown in its plan and report. */
interface BuildPhase {
  /** Unique in a plan. */
  readonly name: string;
  readonly title: string;
  readonly statements: readonly PlanStatement[];
}

export interface SourceBuildOptions extends OperationOptions {
  /** The schema of the graph, created if missing. */
  readonly schema: string;
  /** The id of the import; absent in a plan. */
  readonly run?: string | undefined;
  /** The owner whose graph may be replaced. */
  readonly owner: GraphOwner;
  /** For planning only: nothing is created or locked. */
  readonly readOnly?: boolean | undefined;
}

export interface GraphOwner {
  /** As in the table `run`; also matches other clones of the entity graph. */
  readonly entity: string;
  /** Ids of earlier imports, including those under earlier names of the file. */
  readonly runs: readonly string[];
}

/** A graph built inside its source. */
export interface BuiltGraph {
  readonly schema: string;
  /** The id in its table `run`. */
  readonly run: string;
}

/** A graph to be dropped, unless another import has replaced it. */
export interface GraphToDrop {
  readonly schema: string;
  /** The import that built it. If absent, the import may not have published; other imports' graphs are kept. */
  readonly run?: string;
  /** Imports that may have published their graph since. */
  readonly begun?: readonly string[];
}

/** An open graph inside its source, in one snapshot. */
export interface BuiltGraphReader {
  /**
   * Values are texts as sent by the server. A failed query leaves the others possible. Rejects with a `SourceError`.
   */
  query(
    sql: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Idempotent. */
  close(): Promise<void>;
}

export interface DropGraphsOptions extends OperationOptions {
  /** Whether a table or view is part of a graph. @param counts of the record of its run, as JSON */
  readonly isRelationOf: (counts: string | undefined, name: string) => boolean;
}
