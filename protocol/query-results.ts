import type { FailureCode } from './failure-codes.ts';
import type { queryTarget, range, rowCondition } from './shapes/query-shapes.ts';
import type { Checked } from './shapes/shape.ts';

/** One part of an executed query, as printed by Show Query. */
export interface ShownStep {
  readonly kind: 'sql' | 'http';
  readonly dialect: string;
  /** `core` is the core SELECT; `setup` and `wrap` are added by the connector. */
  readonly role: 'setup' | 'core' | 'wrap';
  /** The data source in which it runs; only where a query reads several. */
  readonly source?: string;
  readonly title: string;
  readonly text: string;
}

export interface ShowQueryResult {
  readonly steps: readonly ShownStep[];
}

/** A cell whose value is invalid or ignored. */
export interface CellMark {
  /** 0-based, in the order received. */
  readonly row: number;
  readonly column: number;
  /** `error`: an import fails here; `warning`: it continues without the value. */
  readonly severity: 'error' | 'warning';
  /** One sentence for the user. */
  readonly message: string;
}

export interface TestQueryResult {
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nulls: number }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  readonly truncated: boolean;
  /** Size limit in bytes that cut off further rows; absent when none were cut off. */
  readonly sizeLimit?: number | undefined;
  readonly durationMs: number;
  readonly warnings: readonly string[];
  /** Absent without marked cells. */
  readonly marks?: readonly CellMark[];
}

/** The first rows that a relationship joins, with the mapped columns and names of both sides. */
export interface JoinPreview extends TestQueryResult {
  /** The end of each column; empty for a path, whose result is pairs of keys. */
  readonly sides: readonly ('source' | 'target')[];
  /** How all rows match, if both ends were read for the first rows already. */
  readonly counts?: JoinCounts;
}

/** How the rows of both ends of a relationship match. */
export interface JoinCounts {
  readonly pairs: number;
  readonly source: SideCounts;
  readonly target: SideCounts;
}

export interface SideCounts {
  readonly rows: number;
  /** Rows with NULL in the key or a mapped column. */
  readonly nullKeys: number;
  /** Rows without a match, those of `nullKeys` among them. */
  readonly unmatched: number;
  /** The most matches of one entity. */
  readonly most: number;
}

export type TextRange = Checked<typeof range>;

/** Why an operation failed, in terms of the user. */
/** A guard that an import has broken. */
export interface BrokenGuard {
  /** What it asks for (`guardKey`). */
  readonly guard: string;
  readonly message: string;
}

export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  /** The message without the name of its data source, if it begins with that: for places that show the name next to it. */
  readonly shortMessage?: string;
  readonly file?: string;
  readonly range?: TextRange;
  readonly remedy?: string;
  /** Types that may be declared in the data sources file, so that a value of a file is read. */
  readonly proposedType?: TypeProposal;
  /** The data source that failed is down, and rows are kept that can replace it in this import. */
  readonly hasKeptRows?: true;
  /** With `guard-broken`: all guards of severity `error` that are broken. */
  readonly guards?: readonly BrokenGuard[];
  /** For a draft, which is not in the file yet: the affected field, such as `where`, and the affected text. */
  readonly property?: string;
  readonly excerpt?: string;
  /** The range is that of the entry's name, because the position within the entry is unknown. */
  readonly isWholeEntry?: true;
  /** The core SELECT that an engine rejected. */
  readonly query?: RefusedQuery;
}

/** The types that may be declared for a column of a file, the likeliest first. */
export interface TypeProposal {
  /** Absent until it is known which one the file is of. */
  readonly dataSource?: string;
  /** Name of the file with extension. */
  readonly file: string;
  /** The file is one of several of a data object, which have one type. */
  readonly isPart: boolean;
  readonly column: string;
  readonly types: readonly string[];
}

export interface RefusedQuery {
  readonly sql: string;
  /** The rejected part in UTF-16 offsets; absent when the engine reports no position. */
  readonly place?: { readonly start: number; readonly end: number };
}

export type QueryTarget = Checked<typeof queryTarget>;
export type RowCondition = Checked<typeof rowCondition>;

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Failure };
