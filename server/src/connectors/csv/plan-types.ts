import type { Encoding } from './encodings.ts';

/** Everything that decides how a file is read: the same plan serves description, preview and import. */
export type ReadPlan = CsvPlan | JsonPlan | ParquetPlan;

export interface PlanColumn {
  readonly name: string;
  /** DuckDB's own name of its type. */
  readonly type: string;
  /** The type was said in the settings, and not found out. */
  readonly isDeclared?: boolean;
  /** Its times are written in ISO 8601, whatever format times have elsewhere in the file. */
  readonly isIso?: boolean;
}

export interface CsvPlan {
  readonly kind: 'csv';
  readonly encoding: Encoding;
  readonly gzip: boolean;
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  readonly header: boolean;
  readonly skip: number;
  readonly nullValues: readonly string[];
  readonly decimal?: string;
  readonly dateFormat?: string;
  readonly timestampFormat?: string;
  /** Lines end in two ways: what DuckDB reads is a copy in which all end alike. */
  readonly mixedLineEnds?: boolean;
  readonly columns: readonly PlanColumn[];
}

export interface JsonPlan {
  readonly kind: 'json';
  readonly lines: boolean;
  readonly dateFormat?: string;
  readonly timestampFormat?: string;
  readonly columns: readonly PlanColumn[];
}

export interface ParquetPlan {
  readonly kind: 'parquet';
  readonly columns: readonly PlanColumn[];
}
