import type { Column } from '../catalog/catalog.ts';
import type { MappingOperator } from '../model/entity-graph.ts';
import type { LocatedSql, SourceRange } from '../model/source-range.ts';

/** The rows of an element: its data object, joined and filtered. Names are unquoted. */
export interface ElementRows {
  readonly from: ObjectInQuery;
  readonly joins?: LocatedSql;
  readonly where?: LocatedSql;
}

export interface ObjectInQuery {
  readonly path: readonly string[];
  readonly alias: string;
  /** Where the YAML names it. */
  readonly range?: SourceRange;
}

export interface ColumnInQuery {
  readonly alias: string;
  readonly name: string;
  /** Where the YAML names it; absent for columns that the query adds by itself. */
  readonly range?: SourceRange;
}

export interface SelectItem {
  readonly column: ColumnInQuery;
  /** Name of the result column. */
  readonly as: string;
}

/** A result column that custom SQL computes. */
export interface ExpressionItem {
  readonly expression: LocatedSql;
  readonly as: string;
}

/** `SELECT items FROM rows`. */
export interface ElementSelect {
  readonly items: readonly (SelectItem | ExpressionItem)[];
  readonly rows: ElementRows;
}

/** An element as one side of a relationship: all columns of its data object, and joined ones under one name each. */
export interface Relation {
  readonly rows: ElementRows;
  readonly joinedColumns: readonly SelectItem[];
}

/** `SELECT DISTINCT key pairs FROM source JOIN [cross] JOIN target`. Rows with a NULL in a key are left out. */
export interface PairSelect {
  readonly sourceKey: readonly SelectItem[];
  readonly targetKey: readonly SelectItem[];
  readonly source: Relation;
  readonly cross?: { readonly from: ObjectInQuery; readonly conditions: readonly Condition[] };
  readonly target: Relation;
  /** What the target is joined on; all must hold. */
  readonly conditions: readonly Condition[];
}

export type Condition = Comparison | ExpressionCondition;

export interface Comparison {
  readonly kind: 'comparison';
  readonly left: ComparedColumn;
  readonly operator: MappingOperator;
  readonly right: ComparedColumn;
  readonly range: SourceRange;
}

/** A column, or its canonical text where it is compared with a text. */
export interface ComparedColumn extends ColumnInQuery {
  readonly textOf?: Pick<Column, 'type' | 'sense'>;
}

export interface ExpressionCondition {
  readonly kind: 'expression';
  readonly expression: LocatedSql;
}
