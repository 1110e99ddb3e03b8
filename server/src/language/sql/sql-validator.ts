/** A statement around custom SQL, with the tables that it may read. */
export interface SqlQuestion {
  readonly statement: string;
  /** Absent where tables are not known: then only the syntax can be validated. */
  readonly tables?: readonly SqlTable[];
}

/** A table as SQL can name it. */
export interface SqlTable {
  /** By its schema as well, or by its name alone. Unquoted. */
  readonly path: readonly string[];
  /** Whether the last part of the path is enough to name it. */
  readonly bare: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** What is wrong with a statement. */
export interface SqlMistake {
  readonly kind: 'syntax' | 'column' | 'alias' | 'table' | 'other';
  /** UTF-16 offset into the statement. */
  readonly position: number;
  /** The name that means nothing, unquoted. */
  readonly name?: string;
  /** Names that would mean something in its place. */
  readonly candidates?: readonly string[];
  /** The engine's own words. */
  readonly message?: string;
}

/** The answer of a validator that is still working. */
export interface PendingAnswer {
  /** True once the validator has the answer: ask it again then. */
  isKnown(): boolean;
}

/** What the parser of a dialect says of a statement. Never throws. */
export type SqlValidator = (question: SqlQuestion) => readonly SqlMistake[] | PendingAnswer;

export function isPending(answer: readonly SqlMistake[] | PendingAnswer): answer is PendingAnswer {
  return 'isKnown' in answer;
}
