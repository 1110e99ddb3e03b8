import type { Connector } from '../connectors/connector.ts';
import type { SourceError } from '../connectors/source-error.ts';

/** A data source whose rows an import reads. */
export interface ImportSource {
  readonly name: string;
  readonly connector: Connector;
  /** See `rowsIdentity`: rows kept with other settings, or of another server or user, are never used. */
  readonly settings: string;
  /** False if its settings turn the row cache off: then none of its rows stay on this machine, except in the graph. */
  readonly keepsRows: boolean;
  /** Why it cannot be reached; only where the import may use kept rows instead. */
  readonly down?: SourceError;
  /** Settings without effect, for the warnings of the import. */
  readonly warnings?: readonly string[] | undefined;
}

/** The data sources of an import. The data source of the file is the first, if its rows are read. */
export type ImportSources = readonly [ImportSource, ...ImportSource[]];

/** Properties that the rows of all sources have in common (docs/semantics.md#164-order). */
interface CommonRows {
  /** Time zone of times without zone, unless a staged column says otherwise. */
  readonly timeZone: string;
  readonly hasRowOrder: boolean;
}

export function commonRows(sources: ImportSources): CommonRows {
  const [first] = sources;
  return {
    timeZone: first.connector.timeZone,
    hasRowOrder: sources.every(({ connector }) => connector.hasRowOrder),
  };
}
