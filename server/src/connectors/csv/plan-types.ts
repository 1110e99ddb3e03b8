import type { Encoding } from './encodings.ts';

/** Everything that determines how a file is read; shared by catalog, preview and import. */
export type ReadPlan = CsvPlan | JsonPlan | ParquetPlan | WorkbookPlan;

export interface PlanColumn {
  readonly name: string;
  /** The name in the file, if the column has another one, because names that differ only by case are one in SQL. */
  readonly field?: string;
  /** Type name of DuckDB. */
  readonly type: string;
  /** The type is declared, not detected. */
  readonly isDeclared?: boolean;
  /** Its times are in ISO 8601, regardless of the time format of the file. */
  readonly isIso?: boolean;
  /** A text because no number type holds the digits of its numbers. */
  readonly keepsDigits?: boolean;
  /** A text made of a decimal of a Parquet file with more digits than DuckDB has, by its bytes: its scale. */
  readonly wideScale?: number;
  /** The type in a Parquet file, if other parts of the data object have another one; empty if the file lacks the column. */
  readonly stored?: string;
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
  readonly decimal?: string | undefined;
  readonly dateFormat?: string | undefined;
  readonly timestampFormat?: string | undefined;
  /** DuckDB reads a copy with uniform line endings. */
  readonly mixedLineEnds?: boolean;
  readonly columns: readonly PlanColumn[];
}

export interface JsonPlan {
  readonly kind: 'json';
  readonly lines: boolean;
  readonly gzip?: boolean;
  /** The file begins with a byte order mark, which DuckDB refuses: it reads a copy without it. */
  readonly hasByteOrderMark?: boolean;
  /** The path of the list of records in the file: DuckDB reads a copy of the list. */
  readonly records?: string;
  /** The values are records; otherwise each is a value of the only column. */
  readonly isOfRecords: boolean;
  /** Some numbers are not their doubles, as which DuckDB would read them: it reads a copy that has them as texts. */
  readonly hasLongNumbers?: boolean;
  readonly dateFormat?: string;
  readonly timestampFormat?: string;
  readonly columns: readonly PlanColumn[];
}

interface ParquetPlan {
  readonly kind: 'parquet';
  readonly columns: readonly PlanColumn[];
}

/** A table of a workbook. DuckDB reads a copy: a list of texts for each row. */
export interface WorkbookPlan {
  readonly kind: 'workbook';
  /** The last row of the names of columns, as Excel counts rows; 0 without names. */
  readonly headRow: number;
  /** The 0-based column of the sheet for each of `columns`. */
  readonly sheetColumns: readonly number[];
  readonly nullValues: readonly string[];
  /** Formats of columns of texts, which are not `isIso`. */
  readonly dateFormat?: string | undefined;
  readonly timestampFormat?: string | undefined;
  readonly columns: readonly PlanColumn[];
}
