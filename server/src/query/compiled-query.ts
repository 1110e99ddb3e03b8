import type { Column, SqlDialect } from '../catalog/catalog.ts';
import type { Problem } from '../model/problem.ts';
import type { LocatedSql } from '../model/source-range.ts';
import type { TextColumn } from './text-columns.ts';

/** A core SELECT: byte for byte what Show Query prints and what Test Query and Import execute. */
export interface CompiledQuery {
  readonly dialect: SqlDialect;
  readonly sql: string;
  /** The names of the result columns, in SELECT order. */
  readonly columns: readonly string[];
  /** Data objects that must exist before it runs (files are attached as views for them). Names as in the model. */
  readonly dataObjects: readonly string[];
  /** Where text of the user stands in `sql`, so that an error of the engine can be placed in the YAML. */
  readonly fragments: readonly SqlFragment[];
  /** Where a column or object named in the YAML stands in `sql`: same use, whole-value range. */
  readonly references: readonly SqlReference[];
  /** Columns of files whose texts it reads beside their values. */
  readonly texts?: readonly TextColumn[];
  /** The last of its result columns, which are of no interest to people. */
  readonly helpers?: readonly HelperColumn[];
  /** What has to be fetched of each data object before it runs; only for sources that are fetched (REST). */
  readonly reads?: readonly ObjectRead[];
}

/** A result column that only an import needs. */
export interface HelperColumn {
  readonly name: string;
  /** The result column that has the values of which this one has the texts. */
  readonly textOf?: string;
}

/** What a query needs of a data object: perhaps more than it uses, never less. */
export interface ObjectRead {
  readonly dataObject: string;
  /** In catalog order, those of the primary key among them; empty when the catalog does not know the data object. */
  readonly columns: readonly Column[];
  /** SQL conditions, one a place that reads it: a row that meets none of them is not needed. Absent when any row may be. */
  readonly filters?: readonly string[];
  /** True when more rows of it only add rows to the result, so that a preview may stop early. */
  readonly leads: boolean;
  /** Rows are needed only where they belong to one that was fetched of another data object; for previews, which need few. */
  readonly link?: ReadLink;
  /** About how many rows the data object has, for the size of what is asked for. */
  readonly rowEstimate?: number;
  /** When the filters are used from, milliseconds since the epoch: some of them move with the time. Now, when not given. */
  readonly at?: number;
  /** Only rows with one of these values are wanted. */
  readonly keys?: { readonly column: Column; readonly values: readonly string[] };
  /** Name of a column that no query needs: records may lack it. What is kept of the others is proven by it. */
  readonly proof?: string;
}

/** `column` of the data object that is read equals the column `by` of `of`. */
export interface ReadLink {
  readonly column: string;
  readonly of: string;
  readonly by: string;
}

/** User SQL copied verbatim into `sql` at `offset` (UTF-16). */
export interface SqlFragment {
  readonly offset: number;
  readonly source: LocatedSql;
}

/** A name of the model printed as a quoted identifier at `[offset, offset + length)` of `sql`. */
export interface SqlReference {
  readonly offset: number;
  readonly length: number;
  readonly range: { readonly start: number; readonly end: number };
}

/** The query of an element, with the place of each role among the result columns. */
export interface ElementQuery extends CompiledQuery {
  readonly kind: 'element';
  readonly roles: ElementRoles;
}

/** The query of an entry of `entities`. */
export interface MasterDataQuery extends CompiledQuery {
  readonly kind: 'entities';
  readonly roles: Pick<ElementRoles, 'key' | 'properties' | 'rowOrder'>;
}

/** Names of result columns (entries of `columns`). */
export interface ElementRoles {
  readonly key: readonly string[];
  readonly startTimestamp: string;
  readonly changeTimestamp?: string;
  readonly sequence?: string;
  readonly activityColumn?: string;
  /** The key columns of each entry of `correlatesWith`. */
  readonly correlatesWith?: readonly (readonly string[])[];
  readonly properties: readonly string[];
  /** A number that follows the order of the rows in the file, where the source has such an order and joins would lose it. */
  readonly rowOrder?: string;
}

/**
 * The query of a relationship: distinct pairs of keys. Result columns are `source_key_1..n` and `target_key_1..m`;
 * rows in which any key part is NULL are left out.
 */
export interface RelationshipQuery extends CompiledQuery {
  readonly kind: 'relationship';
  readonly sourceKey: readonly string[];
  readonly targetKey: readonly string[];
  /** Its mappings that compare texts, where equal values may have different ones. */
  readonly valueMatches?: readonly ValueMatch[];
}

/** A mapping that compares texts, and how to find out whether values would match that are no equal texts: `10` and `10.0`. */
export interface ValueMatch {
  readonly left: MatchedColumn;
  readonly right: MatchedColumn;
  /** Whether there may be any (`unusual`); where it is absent, there may. It takes half of the time. */
  readonly unusual?: string;
  /** Two texts with one value: `left_text`, `right_text`; no row where there are none. */
  readonly sql: string;
}

/** A column of a file as people know it. */
export interface MatchedColumn {
  readonly column: string;
  readonly dataObject: string;
  /** Its name, where the data object is a file. */
  readonly file?: string;
  readonly type: string;
}

/** What building a query gives: the query, or everything that keeps it from being built, with ranges. */
export type QueryResult<Query extends CompiledQuery> =
  { readonly query: Query } | { readonly problems: readonly Problem[] };

/** One statement of an import, and what it is for. */
export interface PlanStatement {
  readonly title: string;
  /** Where that is not where the graph is built. */
  readonly dialect?: SqlDialect;
  readonly sql: string;
}

/** One part of what is executed, as Show Query prints it. */
export interface QueryStep {
  readonly kind: 'sql' | 'http';
  readonly dialect: SqlDialect | 'http';
  /** `core` is the SELECT of the model; `setup` and `wrap` are what a connector puts around it. */
  readonly role: 'setup' | 'core' | 'wrap';
  readonly title: string;
  readonly text: string;
}
