/** One part of what is executed, as Show Query prints it. */
export interface ShownStep {
  readonly kind: 'sql' | 'http';
  readonly dialect: string;
  /** `core` is the SELECT of the model; `setup` and `wrap` are what the connector puts around it. */
  readonly role: 'setup' | 'core' | 'wrap';
  readonly title: string;
  readonly text: string;
}

export interface ShowQueryResult {
  readonly steps: readonly ShownStep[];
}

/** A cell whose value is wrong, or is not used as it stands. */
export interface CellMark {
  /** Counted from 0, as the rows came. */
  readonly row: number;
  readonly column: number;
  /** `error`: an import stops here; `warning`: it goes on without this value. */
  readonly severity: 'error' | 'warning';
  /** One sentence for people. */
  readonly message: string;
}

export interface TestQueryResult {
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nulls: number }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  readonly truncated: boolean;
  /** In bytes: further rows are left out because the values of those before take this much. Absent where no row is left out for that. */
  readonly sizeLimit?: number;
  readonly durationMs: number;
  readonly warnings: readonly string[];
  /** Absent where no cell is marked. */
  readonly marks?: readonly CellMark[];
}

/** Zero-based, UTF-16, as in LSP. */
export interface TextRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** Why an operation failed, in the user's terms. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  readonly range?: TextRange;
  readonly remedy?: string;
  /** For a draft, whose text is in no file: the property that it is about, such as `where`, and the text that is meant. */
  readonly property?: string;
  readonly excerpt?: string;
  /** The core SELECT that an engine refused. */
  readonly query?: RefusedQuery;
}

export interface RefusedQuery {
  readonly sql: string;
  /** What of it the engine complains about, in UTF-16 offsets; absent where it names no place. */
  readonly place?: { readonly start: number; readonly end: number };
}

/** Which query of a file is meant. */
export type QueryTarget =
  | { readonly kind: 'element'; readonly name: string }
  | { readonly kind: 'entities'; readonly name: string }
  | { readonly kind: 'relationship'; readonly name: string };

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Failure };
