import type { Column } from '../catalog/catalog.ts';
import type { MappingOperator } from '../model/entity-graph.ts';
import type { LocatedSql, SourceRange } from '../model/source-range.ts';
import type { TextColumn, TimeColumn } from '../dialects/dialect.ts';

/** The rows of an element: its data object, joined and filtered. Names are unquoted. */
export interface ElementRows {
  readonly from: ObjectInQuery;
  readonly joins?: LocatedSql | undefined;
  readonly where?: LocatedSql | undefined;
}

export interface ObjectInQuery {
  readonly path: readonly string[];
  readonly alias: string;
  /** Its range in the YAML. */
  readonly range?: SourceRange;
}

export interface ColumnInQuery {
  readonly alias: string;
  readonly name: string;
  /** Its range in the YAML; absent for added columns. */
  readonly range?: SourceRange;
}

export interface SelectItem {
  readonly column: ColumnInQuery;
  /** Name of the result column. */
  readonly as: string;
  /** Set for a text. */
  readonly textType?: TextColumn | undefined;
}

/** A result column that custom SQL computes. */
export interface ExpressionItem {
  readonly expression: LocatedSql;
  readonly as: string;
}

/** `SELECT [DISTINCT] items FROM rows`. */
export interface ElementSelect {
  /** Then all items are columns. */
  readonly isDistinct?: boolean;
  readonly items: readonly (SelectItem | ExpressionItem)[];
  readonly rows: ElementRows;
}

/** An element as a relationship side: all columns of its data object, and joined ones under unique names. */
export interface Relation {
  readonly rows: ElementRows;
  readonly joinedColumns: readonly SelectItem[];
}

/** `SELECT DISTINCT key pairs FROM source JOIN [cross] JOIN target`. Rows with a NULL key part are omitted. */
export interface PairSelect {
  readonly sourceKey: readonly SelectItem[];
  readonly targetKey: readonly SelectItem[];
  /** Further columns of a preview, which may be NULL. */
  readonly shown?: readonly SelectItem[];
  readonly source: Relation;
  readonly cross?: { readonly from: ObjectInQuery; readonly conditions: readonly Condition[] } | undefined;
  readonly target: Relation;
  /** Join conditions of the target; all must hold. */
  readonly conditions: readonly Condition[];
}

export type Condition = Comparison | ExpressionCondition;

export interface Comparison {
  readonly kind: 'comparison';
  readonly left: ComparedColumn;
  readonly operator: MappingOperator;
  readonly right: ComparedColumn;
  readonly range: SourceRange;
  /** Set where two texts are compared. */
  readonly texts?: { readonly left: TextColumn; readonly right: TextColumn };
  /** Set where two times are compared: how their columns keep them, and the zone of times without one. */
  readonly times?: { readonly left: TimeColumn; readonly right: TimeColumn; readonly timeZone: string };
  /** Set where values are compared as canonical texts. */
  readonly canonical?: { readonly left: Column; readonly right: Column };
  /** Set where two numbers are compared: the types of their columns. */
  readonly numbers?: { readonly left: string; readonly right: string };
}

/** A column, or its canonical text in a comparison with a text. */
export interface ComparedColumn extends ColumnInQuery {
  readonly textOf?: Pick<Column, 'type' | 'sense'>;
}

interface ExpressionCondition {
  readonly kind: 'expression';
  readonly expression: LocatedSql;
}
