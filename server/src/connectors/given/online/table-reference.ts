import type { DataObject } from '../../../catalog/catalog.ts';

/** A place in a statement where a data object is read as a table. */
export interface TableReference {
  /** Where its name is, with all qualifiers. */
  readonly start: number;
  readonly end: number;
  readonly object: DataObject;
  /** The name by which the statement knows it, as written, where it gives it no alias. */
  readonly ownAlias: string | undefined;
  /** In a common table expression of the statement, where MariaDB knows none of those before the statement. */
  readonly isInOwnExpression?: boolean;
}
