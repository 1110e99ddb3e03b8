import type { SourceRange } from '../model/source-range.ts';

/** A column of a data object of a data source. */
export interface ColumnName {
  readonly dataSource: string;
  readonly dataObject: string;
  readonly column: string;
}

/**
 * How an output depends on a column: it has its value, computes something from it, or its rows are chosen (`filter`), found (`join`)
 * or paired (`comparison`) by it.
 */
export type ColumnRole = 'value' | 'computed' | 'filter' | 'join' | 'comparison';

export interface ColumnUse extends ColumnName {
  readonly role: ColumnRole;
  readonly range: SourceRange;
  /** The text does not name it: it is one of `properties: all`, or of the primary key. */
  readonly isImplied?: true;
}

export type OutputKind =
  /** The rows of an entry: everything else of the entry depends on them. */
  | 'rows'
  | 'key'
  | 'time'
  | 'property'
  /** Columns that order events, name activities, or say which rows are starts and ends. */
  | 'column'
  | 'correlation'
  | 'expectation'
  | 'relationship'
  | 'rule'
  | 'measure';

/** A part of the graph that is made of columns, or of other parts (docs/semantics.md#21-lineage). */
export interface Output {
  readonly kind: OutputKind;
  /** The name of the property, relationship, rule or measure; else its field. */
  readonly name: string;
  /** The name of the element, or of the entry of `entities`. */
  readonly of?: string | undefined;
  readonly range: SourceRange;
  /** The columns that its own text names. */
  readonly columns: readonly ColumnUse[];
  /** The outputs that it is made of. */
  readonly from: readonly Output[];
}
