import type { Failure } from '../../../../protocol/query-results.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import type { ProblemCode } from '../../model/rules.ts';
import type { EntryIndex } from '../entry-index.ts';
import type { GraphContext } from '../graph-context.ts';
import type { PendingAnswer } from '../sql/sql-validator.ts';
import type { ParsedDataSources } from '../../model/parse-data-sources.ts';

/** The implementation of rules: their codes, and the function that finds violations. */
export interface Check<Context> {
  readonly codes: readonly ProblemCode[];
  /**
   * `entry` if its results depend on a single element or relationship and the catalog only; `linked` if also on the
   * elements at the ends of a relationship, which it looks up in the index.
   */
  readonly scope?: 'entry' | 'linked';
  /** A file without entries in any of these sections has no violations, and is not checked. */
  readonly sections?: readonly ListSection[];
  check(context: Context): readonly Problem[];
}

/** Names of the lists of a file. */
type ListSection = 'accepted' | 'calendars' | 'guards' | 'measures' | 'relationships' | 'rules';

/** Input of a rule: all entries of a file, or one of them. */
export interface CheckContext extends GraphContext {
  /** The graph of `parsed`. */
  readonly graph: EntityGraph;
  /** All entries of the file, even if `graph` contains only one. */
  readonly index: EntryIndex;
  /** Called when the validator has pending results. */
  readonly onPending?: (answer: PendingAnswer) => void;
}

export type GraphCheck = Check<CheckContext>;

/** Input of rules for a sources file. */
export interface SourcesContext {
  readonly parsed: ParsedDataSources;
  /** Names of the sources that entity graphs read. Absent until that is known. */
  readonly usedSources?: ReadonlySet<string> | undefined;
  /** The known ones, by the name of the data source. */
  readonly catalogs?: ReadonlyMap<
    string,
    Pick<Catalog, 'warnings' | 'complete' | 'unusedSettings' | 'doubtfulSettings' | 'proposedTypes'>
  >;
  /** Why catalogs could not be read, by the name of the data source. */
  readonly failures?: ReadonlyMap<string, Failure> | undefined;
}

export type SourcesCheck = Check<SourcesContext>;
