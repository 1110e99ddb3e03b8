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

export interface TestQueryResult {
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nulls: number }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  readonly truncated: boolean;
  readonly durationMs: number;
  readonly warnings: readonly string[];
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
}

/** Which query of a file is meant. */
export type QueryTarget =
  { readonly kind: 'element'; readonly name: string } | { readonly kind: 'relationship'; readonly name: string };

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Failure };
