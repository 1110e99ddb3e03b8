import type { DataObject } from '../../../catalog/catalog.ts';

/** A position in a statement where a data object is read as a table. */
export interface TableReference {
  /** Offset of the name, including all qualifiers. */
  readonly start: number;
  readonly end: number;
  readonly object: DataObject;
  /** The name as written, if the statement gives it no alias. */
  readonly ownAlias: string | undefined;
  /**
   * Inside a common table expression of the statement, where MariaDB does not see expressions defined before the
   * statement.
   */
  readonly isInOwnExpression?: boolean;
}
