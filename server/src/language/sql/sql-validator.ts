/** A statement with custom SQL, and the tables that it may read. */
export interface SqlQuestion {
  readonly statement: string;
  /** Absent without a catalog: then only the syntax is validated. */
  readonly tables?: readonly SqlTable[];
  /** Required type of the first result column; validators without types leave that to the source. */
  readonly gives?: 'time';
}

/** A table as named in SQL. */
export interface SqlTable {
  /** Unquoted path, with schema if there is one. */
  readonly path: readonly string[];
  /** Whether the last part of the path is a sufficient name. */
  readonly bare: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** A problem of a statement. */
export interface SqlMistake {
  readonly kind: 'syntax' | 'column' | 'alias' | 'table' | 'type' | 'other';
  /** UTF-16 offset into the statement. */
  readonly position: number;
  /** The unknown name, unquoted; for a result of a wrong type, the name of the type. */
  readonly name?: string;
  /** Valid alternatives to the name. */
  readonly candidates?: readonly string[];
  /** Message of the engine. */
  readonly message?: string;
}

/** The result of a validator that is still running. */
export interface PendingAnswer {
  /** True once the validator has the answer: ask it again then. */
  isKnown(): boolean;
}

/** Validates a statement with the parser of a dialect. Never throws. */
export type SqlValidator = (question: SqlQuestion) => readonly SqlMistake[] | PendingAnswer;

export function isPending(answer: readonly SqlMistake[] | PendingAnswer): answer is PendingAnswer {
  return 'isKnown' in answer;
}
