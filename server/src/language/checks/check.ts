import type { Catalog } from '../../catalog/catalog.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import type { ProblemCode } from '../../model/rules.ts';
import type { EntryIndex } from '../entry-index.ts';
import type { GraphContext } from '../graph-context.ts';
import type { PendingAnswer } from '../sql/sql-validator.ts';
import type { ParsedDataSources } from '../../model/parse-data-sources.ts';

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

/** What a rule is asked with: all entries of a file, or one of them. */
export interface CheckContext extends GraphContext {
  /** That of `parsed`. */
  readonly graph: EntityGraph;
  /** All entries of the file, also where `graph` has but one of them. */
  readonly index: EntryIndex;
  /** Called when the validator has been asked something that it will answer later. */
  readonly onPending?: (answer: PendingAnswer) => void;
}

export type GraphCheck = Check<CheckContext>;

/** What rules know of a sources file. */
export interface SourcesContext {
  readonly parsed: ParsedDataSources;
  /** Names of the sources that entity graphs read. Absent until that is known. */
  readonly usedSources?: ReadonlySet<string> | undefined;
  /** By name of the source, those that are known. */
  readonly catalogs?: ReadonlyMap<string, Pick<Catalog, 'warnings' | 'complete'>>;
}

export type SourcesCheck = Check<SourcesContext>;
