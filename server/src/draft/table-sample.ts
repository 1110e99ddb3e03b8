import type { DataObject, SqlDialect } from '../catalog/catalog.ts';

/** A value of a sample: JSON values, times as ISO 8601. */
export type SampleCell = string | number | boolean | null;

/** The first rows of a data object. */
export interface TableSample {
  /** Names, in the order of the cells; columns that were not read are missing. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SampleCell[])[];
  /** The sample has all rows. */
  readonly isWhole: boolean;
}

/** Where a data object of a further data source is. */
export interface TablePlace {
  readonly dataSource: string;
  readonly dialect: SqlDialect;
  /** Its name in the data source. */
  readonly name: string;
}

/** A candidate data object for a first graph, with a sample of its rows if they were read. */
export interface TableInput {
  /** In a draft of several data sources its name may differ from that in its data source; see `place`. */
  readonly object: DataObject;
  /** Set for a data object of a further data source of the draft. */
  readonly place?: TablePlace | undefined;
  /** Absent if no rows were read; then only the catalog is used. */
  readonly sample?: TableSample | undefined;
}

/** How many rows of a data object are read, and how much of a text. */
export const sampleLimits = { maxCells: 400_000, maxRows: 10_000, minRows: 1_000, textLength: 200 } as const;

export function sampleRows(columnCount: number): number {
  const { maxCells, maxRows, minRows } = sampleLimits;
  return Math.min(maxRows, Math.max(minRows, Math.floor(maxCells / Math.max(columnCount, 1))));
}
