import type { CompiledQuery } from '../query/compiled-query.ts';
import type { KindConnector } from './connector.ts';

/** Opens a file of rows outside any data source. Rejects with a `SourceError` whose remedy mentions no settings. */
export type OpenRowsFile = (file: string) => Promise<OpenRows>;

export interface OpenRows {
  readonly connector: Pick<KindConnector, 'openPull' | 'close'>;
  /** All rows and columns, in order. */
  readonly query: CompiledQuery;
  /** Remarks about how they are read. */
  readonly warnings: readonly string[];
}
