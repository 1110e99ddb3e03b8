import type { Catalog } from '../catalog/catalog.ts';
import type { DataSources } from '../model/data-sources.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import type { SqlValidator } from './sql/sql-validator.ts';

/** The in-memory context of an entity graph. */
export interface GraphSurroundings {
  /** Absent without a sources file. */
  readonly sources?: DataSources;
  /** Absent while unknown; rules that need it then report nothing. */
  readonly catalog?: Catalog;
  /** Why names and types cannot be validated. */
  readonly catalogUnknownBecause?: string;
  /** The SQL validator of the source's dialect; without it SQL is not parsed. */
  readonly sqlValidator?: SqlValidator;
}

/** An entity graph with its context, the input of all language features. */
export interface GraphContext extends GraphSurroundings {
  readonly parsed: ParsedEntityGraph;
}
