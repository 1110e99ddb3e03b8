import type { TimeRole } from '../../../protocol/fields/element.ts';
import type { Column, SqlDialect } from '../catalog/catalog.ts';
import type { ColumnField } from '../model/entry-columns.ts';
import type { Problem } from '../model/problem.ts';
import type { Located, LocatedSql } from '../model/source-range.ts';
import type { ElementSelect } from './query-tree.ts';
import type { TextColumn } from './text-columns.ts';

/** A core SELECT: exactly what Show Query prints and Test Query and imports execute. */
export interface CompiledQuery {
  readonly dialect: SqlDialect;
  readonly sql: string;
  /** The names of the result columns, in SELECT order. */
  readonly columns: readonly string[];
  /** Data objects that must exist before it runs (files are attached as views). Names as in the model. */
  readonly dataObjects: readonly string[];
  /** Positions of custom SQL in `sql`, to map errors of the engine to the YAML. */
  readonly fragments: readonly SqlFragment[];
  /** Positions of names from the YAML in `sql`, each mapped as a whole. */
  readonly references: readonly SqlReference[];
  /** File columns whose texts are read in addition to their values. */
  readonly texts?: readonly TextColumn[] | undefined;
  /** Helper columns at the end of the result, hidden from users. */
  readonly helpers?: readonly HelperColumn[] | undefined;
  /** Result columns that are columns of the catalog. */
  readonly known?: readonly KnownColumn[] | undefined;
  /** The zones of times without one, by result column, where an entry has a `timeZone`; default: that of the data source. */
  readonly zones?: Readonly<Record<string, string>> | undefined;
  /** What to fetch of each data object before it runs; for fetched sources (REST) only. */
  readonly reads?: readonly ObjectRead[] | undefined;
}

/** A result column needed by imports only. */
export interface HelperColumn {
  readonly name: string;
  /** The result column with the values of this column's texts. */
  readonly textOf?: string;
}

/** A result column with the values of a column of the catalog, or with their texts. */
export interface KnownColumn extends Pick<Column, 'type' | 'sense' | 'collation'> {
  /** The result column. */
  readonly name: string;
  /** Its name as in the model. A column with both values and texts is there twice, with the texts last. */
  readonly column: string;
}

/** What a query reads of a data object: possibly too much, never too little. */
export interface ObjectRead {
  readonly dataObject: string;
  /** In catalog order, with the primary key; empty for a data object missing in the catalog. */
  readonly columns: readonly Column[];
  /**
   * SQL conditions, one for each place that reads it: a row that matches none is not needed. Absent when any row may be
   * needed.
   */
  readonly filters?: readonly string[] | undefined;
  /** True when further rows only add rows to the result, so that a preview may stop early. */
  readonly leads: boolean;
  /** Only rows related to fetched rows of another data object are needed; used by previews. */
  readonly link?: ReadLink;
  /** Estimated number of rows, to choose a page size. */
  readonly rowEstimate?: number | undefined;
  /** Reference time of relative time filters, in milliseconds since the epoch; default: now. */
  readonly at?: number;
  /** Only rows with one of these values are needed. */
  readonly keys?: { readonly column: Column; readonly values: readonly string[] };
  /** Name of a column that queries do not use, fetched to validate the row cache; records may lack it. */
  readonly proof?: string;
}

/** `column` of this data object equals the column `by` of `of`. */
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

/** The query of an element, with the result column of each role. */
export interface ElementQuery extends CompiledQuery {
  readonly kind: 'element';
  readonly select: ElementSelect;
  readonly roles: ElementRoles;
}

/** The query of an entry of `entities`. */
export interface MasterDataQuery extends CompiledQuery {
  readonly kind: 'entities';
  readonly select: ElementSelect;
  readonly roles: MasterDataRoles;
}

/** Names of result columns of an entry of `entities`. */
interface MasterDataRoles extends Pick<ElementRoles, 'key' | 'expect' | 'properties' | 'rowOrder'> {
  /** Since when the values of a row hold. */
  readonly validFrom?: string | undefined;
  /** Its dates are the ends of their days. */
  readonly isValidFromEndOfDay?: boolean | undefined;
}

/** Names of result columns (entries of `columns`). */
export interface ElementRoles
  extends Readonly<Partial<Record<ColumnField, string>>>, Readonly<Partial<Record<TimeRole, string | undefined>>> {
  readonly key: readonly string[];
  /** Empty without one. */
  readonly startTimestamp: string;
  /** The times whose dates are the ends of their days. */
  readonly endsOfDays?: readonly TimeRole[];
  /** The text of the transition of each row. */
  readonly lifecycle?: string | undefined;
  /** The key columns of each entry of `correlatesWith`. */
  readonly correlatesWith?: readonly (readonly string[])[];
  /** The columns of `expect`. */
  readonly expect?: ExpectationRoles | undefined;
  readonly properties: readonly string[];
  /** A number in file row order, if the source has one and joins would lose it. */
  readonly rowOrder?: string | undefined;
}

/** For each expectation of rows its result columns. */
export interface ExpectationRoles {
  readonly unique: readonly (readonly string[])[];
  readonly notNull: readonly string[];
  readonly values: readonly string[];
}

/**
 * The query of a relationship: distinct pairs of keys. Result columns are `source_key_1..n` and `target_key_1..m`; rows
 * with a NULL key part are omitted.
 */
export interface RelationshipQuery extends CompiledQuery {
  readonly kind: 'relationship';
  readonly sourceKey: readonly string[];
  readonly targetKey: readonly string[];
  /** The rows of its ends, if these belong to several data sources; `sql` then joins them in the embedded engine. */
  readonly ends?: readonly EndQuery[];
  /** With `ends`: the join with a pair for each match, including repeated pairs. */
  readonly everyMatch?: Pick<CompiledQuery, 'sql' | 'fragments' | 'references'>;
  /** Its mappings that compare texts, where equal values may have different texts. */
  readonly valueMatches?: readonly ValueMatch[] | undefined;
  /** The compared columns, for an engine that compares values of different types. */
  readonly compared?: readonly ComparedColumns[] | undefined;
}

/** Columns of a data object that a relationship compares. */
export interface ComparedColumns {
  /** Its result has their types. */
  readonly query: CompiledQuery;
  /** As the catalog describes them, in the order of the result. */
  readonly columns: readonly (Pick<Column, 'type' | 'sense'> & {
    readonly name: Located<string>;
    readonly dataObject: string;
  })[];
}

/** The rows of one end of a relationship across data sources, or of its cross table. */
export interface EndQuery {
  readonly dataSource: string;
  /** Runs in the data source. */
  readonly query: CompiledQuery;
  /** Where its rows are staged. */
  readonly table: string;
  /** The view of these rows that the join reads. */
  readonly view: string;
  readonly columns: readonly EndColumn[];
}

/** A column of the view of an end. */
export interface EndColumn {
  readonly as: string;
  /** The result column of the query. */
  readonly of: string;
  /** What the view makes of it: its value, its canonical text, the digits of a number, or the value as a number or as a UTC time. */
  readonly form: 'value' | 'text' | 'digits' | 'number' | 'time';
}

/** A mapping that compares texts, and queries that find equal values with different texts, such as `10` and `10.0`. */
export interface ValueMatch {
  readonly left: MatchedColumn;
  readonly right: MatchedColumn;
  /** A quick test whether there may be any; absent when unknown. It takes half of the time. */
  readonly unusual?: string | undefined;
  /** Two texts with one value: `left_text`, `right_text`; empty when there are none. */
  readonly sql: string;
}

/** A file column in user terms. */
export interface MatchedColumn {
  readonly column: string;
  readonly dataObject: string;
  /** Name of the file, if the data object is one. */
  readonly file?: string | undefined;
  readonly type: string;
}

/** A built query, or all problems that prevent it, with ranges. */
export type QueryResult<Query extends CompiledQuery> =
  { readonly query: Query } | { readonly problems: readonly Problem[] };

/** A statement of an import, and its purpose. */
export interface PlanStatement {
  readonly title: string;
  /** The dialect of the engine that runs it, if it differs from that of the build. */
  readonly dialect?: SqlDialect;
  readonly sql: string;
}

/** One part of an executed query, as printed by Show Query. */
export interface QueryStep {
  readonly kind: 'sql' | 'http';
  readonly dialect: SqlDialect | 'http';
  /** `core` is the core SELECT; `setup` and `wrap` are added by a connector. */
  readonly role: 'setup' | 'core' | 'wrap';
  readonly title: string;
  readonly text: string;
}
