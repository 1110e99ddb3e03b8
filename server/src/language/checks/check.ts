import type { Catalog } from '../../catalog/catalog.ts';
import type { DataSources } from '../../model/data-sources.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import type { SqlJudge } from '../sql/sql-judge.ts';
import type { EntryMemo } from './entry-memo.ts';
import type { ParsedDataSources } from '../../model/parse-data-sources.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';

/** A rule: its codes, which stay for ever and have an entry in `docs/rules.md`, and the function that finds what breaks it. */
export interface Check<Context> {
  readonly codes: readonly string[];
  /** Set when what it says of an element or relationship hangs on nothing but that entry and the catalog. */
  readonly local?: true;
  check(context: Context): readonly Problem[];
}

/** What rules know of an entity graph. */
export interface GraphContext {
  readonly parsed: ParsedEntityGraph;
  readonly graph: EntityGraph;
  /** Absent when there is no sources file. */
  readonly sources?: DataSources;
  /** Absent until it is known; rules that need it are quiet until then. */
  readonly catalog?: Catalog;
  /** What was found in entries whose text has not changed since; absent where each text is checked but once. */
  readonly memo?: EntryMemo;
  /** The parser of the source's dialect, where there is one. */
  readonly sqlJudge?: SqlJudge;
}

export type GraphCheck = Check<GraphContext>;

/** What rules know of a sources file. */
export interface SourcesContext {
  readonly parsed: ParsedDataSources;
}

export type SourcesCheck = Check<SourcesContext>;
