import type { Catalog } from '../../catalog/catalog.ts';
import type { DataSources } from '../../model/data-sources.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import type { ProblemCode } from '../../model/rules.ts';
import type { EntryIndex } from '../entry-index.ts';
import type { PendingAnswer, SqlJudge } from '../sql/sql-judge.ts';
import type { ParsedDataSources } from '../../model/parse-data-sources.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';

/** The check of rules: their codes, and the function that finds what breaks them. */
export interface Check<Context> {
  readonly codes: readonly ProblemCode[];
  /**
   * `entry` when what it says of an element or relationship hangs on nothing but that entry and the catalog; `linked` when
   * it also hangs on the elements at the ends of a relationship, which it asks the index for.
   */
  readonly scope?: 'entry' | 'linked';
  check(context: Context): readonly Problem[];
}

/** What is known of an entity graph. */
export interface GraphContext {
  readonly parsed: ParsedEntityGraph;
  readonly graph: EntityGraph;
  /** Absent when there is no sources file. */
  readonly sources?: DataSources;
  /** Absent until it is known; rules that need it are quiet until then. */
  readonly catalog?: Catalog;
  /** The parser of the source's dialect, where there is one. */
  readonly sqlJudge?: SqlJudge;
}

/** What a rule is asked with. */
export interface CheckContext extends GraphContext {
  /** All entries of the file, also where `graph` has but one of them. */
  readonly index: EntryIndex;
  /** Called when the judge has been asked something that it will answer later. */
  readonly onPending?: (answer: PendingAnswer) => void;
}

export type GraphCheck = Check<CheckContext>;

/** What rules know of a sources file. */
export interface SourcesContext {
  readonly parsed: ParsedDataSources;
  /** Names of the sources that entity graphs read. Absent until that is known. */
  readonly usedSources?: ReadonlySet<string>;
  /** By name of the source, those that are known. */
  readonly catalogs?: ReadonlyMap<string, Pick<Catalog, 'warnings' | 'complete'>>;
}

export type SourcesCheck = Check<SourcesContext>;
