import type { SqlDialect } from '../catalog/catalog.ts';
import type { GraphCatalog } from '../catalog/graph-catalog.ts';
import type { DataSources } from '../model/data-sources.ts';
import type { FilePlace } from '../model/problem.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import type { ImportedExpectations } from './imported-expectations.ts';
import type { ImportedFindings } from './imported-findings.ts';
import type { ImportedGuards } from './imported-guards.ts';
import type { ImportedMeasures } from './imported-measures.ts';
import type { ImportedRules } from './imported-rules.ts';
import type { SqlValidator } from './sql/sql-validator.ts';

/** The in-memory context of an entity graph. */
export interface GraphContextInput {
  /** Absent when there is no sources file. */
  readonly sources?: DataSources | undefined;
  /** Without a sources file: one above the workspace folder, where the search ends. */
  readonly sourcesAbove?: string | undefined;
  /** Absent until it is known; rules that need it are quiet until then. */
  readonly catalog?: GraphCatalog | undefined;
  /** Set while the catalog is being read. */
  readonly catalogReading?: { readonly dataSource: string; readonly step: string } | undefined;
  /** Why names and types cannot be checked. */
  readonly catalogUnknownBecause?: string | undefined;
  /** The place of that reason in the data sources file. */
  readonly catalogUnknownPlace?: FilePlace | undefined;
  /** Results of the last import for rules; absent until they are known. */
  readonly importedRules?: ImportedRules | undefined;
  /** Results of the last import for measures; absent until they are known. */
  readonly importedMeasures?: ImportedMeasures | undefined;
  /** Results of the last import for expectations of rows; absent until known. */
  readonly importedExpectations?: ImportedExpectations | undefined;
  /** What is odd in the data of the last import; absent until it is known. */
  readonly importedFindings?: ImportedFindings | undefined;
  readonly importedGuards?: ImportedGuards | undefined;
  /** The parser of the source's dialect; SQL is not parsed without it. */
  readonly sqlValidator?: SqlValidator | undefined;
  /** Validators for the other data sources that the graph names. */
  readonly otherValidators?: ReadonlyMap<SqlDialect, SqlValidator> | undefined;
}

/** An entity graph with its context, the input of all language features. */
export interface GraphContext extends GraphContextInput {
  readonly parsed: ParsedEntityGraph;
}
