import type { Catalog } from '../../catalog/catalog.ts';
import type { WrittenValue } from '../../catalog/written-value.ts';

/** Rows of a data object, in order: values by column. */
interface GivenRows {
  readonly dataObject: string;
  readonly rows: readonly ReadonlyMap<string, WrittenValue>[];
}

/** The given rows of one data source, which an import reads in place of the source's rows. */
export interface GivenData {
  readonly catalog: Catalog;
  /** Data objects without rows are empty. */
  readonly objects: readonly GivenRows[];
  /** Time zone of times without zone. */
  readonly timeZone: string;
  /** The settings of the data source, with unresolved references. */
  readonly settings: Readonly<Record<string, unknown>>;
}
