import type { Column, ColumnSense, SqlDialect } from '../catalog/catalog.ts';
import type { SqlLexis } from './standard/lexis.ts';
import type { MappingOperator } from '../model/entity-graph.ts';

/** Everything specific to one SQL dialect. No other code decides by the name of a dialect. */
export interface Dialect {
  /** Its name in catalogs and in the registry. */
  readonly name: SqlDialect;
  /** Display name. */
  readonly label: string;
  /** Whether its SQL runs in the embedded engine, on views and tables created by a connector. */
  readonly isEmbedded: boolean;
  /** How its SQL is divided into tokens. */
  readonly lexis: SqlLexis;
  readonly identifiers: Identifiers;
  readonly literals: Literals;
  readonly operators: Operators;
  readonly canonical: CanonicalText;
  readonly times: Times;
  readonly exact: ExactValues;
  readonly types: TypeNames;
  readonly completion: Completion;
  readonly validator: Validator;
  /** Absent when the engine cannot build graphs: rows are then pulled into the embedded engine. */
  readonly build: BuildSql | undefined;
  /** What is different in a cluster of this engine, over whose nodes the tables of a build are distributed. */
  readonly inCluster?: { readonly build: BuildSql; readonly times: Times };
}

/** A dialect whose engine can build graphs. */
export interface BuildingDialect extends Dialect {
  readonly build: BuildSql;
}

export interface Identifiers {
  /** A quoted name. Throws on NUL, which no engine accepts in SQL. */
  quote(name: string): string;
  /** An unquoted word after case folding. */
  fold(word: string): string;
  /** Comparison form of a quoted name: equal for names that the engine does not distinguish. */
  key(name: string): string;
  /** Whether an unquoted name keeps its spelling. */
  isBare(name: string): boolean;
  /** Maximum name length in UTF-8 bytes, beyond which the engine truncates; undefined without a relevant limit. */
  readonly maxBytes: number | undefined;
  /** Prefix of the engine's own schema names; undefined without one. */
  readonly reservedPrefix: string | undefined;
  /** A server has several catalogs, each with schemas. */
  readonly hasCatalogs?: true;
  /** Splits a data object's name into the parts of its SQL path, without a catalog. */
  path(name: string): readonly string[];
}

export interface Literals {
  /** A string literal. Throws on NUL. */
  quote(text: string): string;
  /** A string literal of type text even without context, as in a UNION. */
  text(text: string): string;
}

export interface Operators {
  /** `left sign right suffix` for a mapping operator. A backslash escapes in LIKE. */
  comparison(operator: MappingOperator): { readonly sign: string; readonly suffix: string };
  /** Undefined where the engine tells texts apart by their characters, as keys and mappings do. */
  readonly texts: TextComparison | undefined;
  /** Undefined where the engine has types for times. */
  readonly times: TimeComparison | undefined;
  /** The engine compares numbers with texts, which others refuse. */
  readonly comparesUnlikeTypes?: true;
}

/** SQL that compares times where the engine keeps them as texts or numbers. */
export interface TimeComparison {
  /** Whether two columns compare as they are. */
  areAlike(left: TimeColumn, right: TimeColumn): boolean;
  /** A number that has the order of the times. */
  operand(value: string, column: TimeColumn): string;
}

/** How a column keeps times. */
export type TimeColumn = Pick<Column, 'type' | 'timeForm'>;

/** SQL that tells texts apart by their characters, where the engine does so by a collation. */
export interface TextComparison {
  /** An operand of a comparison. */
  operand(text: string, operator: MappingOperator): string;
  /** What GROUP BY groups by, in place of DISTINCT. */
  group(text: string): string;
}

/** SQL of the canonical text of a value, equal in all engines (see the rules of keys). */
export interface CanonicalText {
  /**
   * @param value SQL of the value in parentheses, evaluated several times. A timestamp without zone must already be in
   * UTC.
   * @param type type name of the engine.
   * @param sense needed only for a number staged as text because no numeric type can hold it.
   */
  value(value: string, type: string, sense?: ColumnSense): string;
  /**
   * The key of several parts, as a JSON array of their canonical texts. Equal in all engines, except for the case of
   * hexadecimal digits in `\u` escapes of control characters.
   */
  key(parts: readonly string[]): string;
  /** A text of all values of a row, used for comparison only. */
  row(texts: readonly string[]): string;
}

/**
 * Of which columns the values mean where they are stored what they mean where rows are staged, so that both count the
 * same rows. In doubt, none.
 */
export interface ExactValues {
  /** Their canonical text is that of the staged value. */
  texts(type: string, sense: ColumnSense): boolean;
  /** What is missing is NULL. @param sense undefined if unknown */
  nulls(sense: ColumnSense | undefined): boolean;
  /** They compare as times do, if those without zone are in UTC. */
  times(type: string, sense: ColumnSense): boolean;
}

/** SQL of UTC times. */
export interface Times {
  /** The type of times without zone that graphs have: microseconds. */
  readonly type: string;
  /** A time without zone, which is written in ISO 8601. */
  literal(iso: string): string;
  /** The first and last timestamp that can be converted between time zones: two days inside the range of the engine. */
  readonly movable: readonly [first: string, last: string];
  /** True for finite times, and NULL for NULL: a missing time is not an infinite one. */
  isFinite(time: string): string;
  /**
   * The UTC time of a time without zone: moved forward in a daylight saving gap, with the earlier offset in an overlap.
   */
  inZone(time: string, timeZone: string): string;
  /** Converts a text with an era to the engine's notation. */
  eraText(text: string): string;
  /** True for a time text with an offset. */
  hasOffset(text: string): string;
  /** The UTC time of a text with an offset; NULL for other texts. */
  zonedText(text: string): string;
  /** The time of a text without offset; NULL for other texts. */
  naiveText(text: string): string;
  /**
   * The time of a text that is written in a format of strptime, NULL where it is none; undefined where the engine knows
   * no such formats.
   */
  readonly formatted: ((text: string, format: string) => string) | undefined;
  /** The UTC time of an ISO 8601 text with an offset, which is certain to be one. */
  utcLiteral(iso: string): string;
}

/** Types by their names, as catalogs show them and people write them in tests. */
export interface TypeNames {
  /** Category of a type. */
  sense(type: string): ColumnSense;
  /** The first characters of a value, as a text. */
  firstCharacters(value: string, count: number): string;
  /** The usual type of a kind of values. */
  readonly usual: Readonly<Record<UsualType, string>>;
}

/** Kinds of values that have a type of their own in most engines. `instant`: a time with an offset. */
export type UsualType = 'text' | 'integer' | 'number' | 'boolean' | 'json' | 'date' | 'timestamp' | 'instant';

export interface Completion {
  /** By name. */
  readonly functions: readonly SqlFunction[];
  /** Keywords in conditions. */
  readonly conditionWords: readonly string[];
  /** Keywords in joins. */
  readonly joinWords: readonly string[];
}

/** An SQL function in completion. */
export interface SqlFunction {
  readonly name: string;
  /** Parameters, such as `(text, from, length)`. */
  readonly takes: string;
  /** Short description of the result. */
  readonly says: string;
}

/** Validation of custom SQL. */
export interface Validator {
  /** Selects the parser. Resolves to undefined if there is none, or if it is not available here. */
  parser<Parser>(parsers: SqlParsers<Parser>): Promise<Parser | undefined>;
  /** Major version of the engine that the parser belongs to; undefined when it is the executing engine. */
  readonly parserVersion: number | undefined;
  /** The parser accepts undefined operators, such as `==`. */
  readonly acceptsUnknownOperators: boolean;
}

/** Available parsers (`sql/sql-validator-of.ts`). */
export interface SqlParsers<Parser> {
  /** PostgreSQL's parser, loaded in-process on first use. */
  readonly libpgQuery: () => Promise<Parser>;
  /** DuckDB in a separate process; undefined if not started. */
  readonly embeddedEngine: Parser | undefined;
  /** Checks names by their tokens, for dialects without a parser. */
  readonly namesOnly: (dialect: Pick<Dialect, 'identifiers' | 'lexis'>) => Parser;
}

/** The properties of a staged column that SQL of its value needs. */
export type StagedValue = Pick<Column, 'sense'> & { readonly stagedAs: string; readonly stagedType: string };

/** Type of sequence values. */
export type SequenceKind = 'number' | 'time' | 'text';

/** SQL of the build statements. */
export interface BuildSql {
  /** Start of the statement that creates a temporary build table. */
  readonly createStaging: string;
  /** Start of the statement that creates a temporary build view. */
  readonly createStagingView: string;
  /**
   * A table keeps the order of the query that it was made of, and its row numbers and windows without order go by it.
   * Neighbours are then found in a sorted table, from which the table `process_map` is made as well.
   */
  readonly keepsRowOrder: boolean;
  /** Tables of the graph are written in an order; not in a cluster, where one node would have to sort all rows. */
  readonly sortsTables: boolean;
  /** A SELECT may have a subquery beside aggregates of other rows. */
  readonly takesSubqueryBesideAggregates: boolean;
  /** The column of a staged table that counts its rows from 0, as SQL; in a cluster, a random UUID of each row. */
  readonly rowPlace: string;
  /** The number of a staged row in error messages, from 1, as SQL: NULL where rows have none. */
  readonly rowNumber: string;
  /** A missing text, of the type text also where nothing tells its type. */
  readonly noText: string;
  /** The expression at a 1-based position of a list of expressions. */
  elementAt(list: readonly string[], place: string): string;
  /** The number of rows for which a condition holds. */
  countIf(condition: string): string;
  /** The number of different rows of some columns. */
  countDistinct(columns: readonly string[]): string;
  /** A text literal, or NULL, as a value of the type JSON. */
  json(literal: string): string;
  /** A text as it is sorted everywhere: by its characters, not by a language. */
  sortedText(expression: string): string;
  /** A numeric sequence value, converted to one type for all elements if the engine requires it. */
  sequenceNumber(column: StagedValue): string;
  /** The sequence of an element without one. */
  noSequence(kind: SequenceKind): string;
  /** An id of an entity that is missing, where nothing tells its type. */
  readonly noId: string;
  /** Rows of a subquery arrive in its order, although SQL does not promise it. */
  readonly subqueriesKeepOrder: boolean;
  /** A whole number in a type that has room for the square of the number of rows. */
  wide(number: string): string;
  /** The last value of a group, by an order, that is not NULL, in its type where that is known. */
  lastKnown(value: string, order: string, type: string | undefined): string;
  readonly lists: Lists;
  readonly judging: JudgingSql;
  /** Rows are numbered by ranges, on all nodes at once; undefined where a single sort numbers them. */
  readonly ranges: RangeSql | undefined;
}

/**
 * SQL that divides rows into ranges of their order, so that each range is numbered by itself. A place among bounds need
 * not be exact: a range is right as long as its number never falls in the order of rows.
 */
export interface RangeSql {
  /** A number of a time that never falls while the time rises; finite, NULL for NULL. */
  timeNumber(time: string): string;
  /** The same of a number of any type. */
  number(value: string): string;
  /** The same of texts that have their first characters in common. @param skipped how many */
  textNumber(text: string, skipped: string): string;
  /** How many characters two texts have in common at their beginning. */
  commonLength(one: string, other: string): string;
  /**
   * Aggregates numbers to bounds that cut them into about equal ranges. At most 799.
   * @param from the table of all rows
   */
  bounds(number: string, from: string): string;
  /** The same for whole numbers, of which frequent ones get ranges of their own. */
  boundsAroundFrequent(number: string, from: string): string;
  /** The sorted list of bounds, from what was aggregated. */
  finished(bounds: string): string;
  /** How many ranges the bounds of one aggregation cut. */
  readonly count: number;
  /** How many selects with joins one statement may have. */
  readonly selectsAtOnce: number;
  /** The place of a number among bounds, from 0; 0 without bounds or number. */
  place(number: string, bounds: string): string;
  /** A sum of whole numbers, as a whole number. */
  whole(sum: string): string;
  readonly perRange: PerRangeSql;
  /**
   * What is known of ranges is written down before it is used, and so are rows with their ranges: only rows that are
   * distributed by range are numbered where they are.
   */
  readonly storesSubqueries: boolean;
}

/**
 * SQL of a table of what is known of ranges, each with its number, and of rows that are joined with it by the column
 * `part`.
 */
export interface PerRangeSql {
  /** What is selected for the table, from a query of `part` and values. @param values SQL, and the name in the table */
  kept(values: readonly (readonly [sql: string, name: string])[]): string;
  /** What stands before and behind the table and its alias, behind rows. */
  readonly join: string;
  readonly on: string;
  /** A value of the range of a row; NULL if nothing is known of it. */
  value(name: string): string;
}

/** SQL by which graphs are judged by rules of the process (docs/semantics.md#17-process-rules). */
export interface JudgingSql {
  /** A duration of whole milliseconds as an interval. */
  interval(microseconds: number): string;
  /** Behind AS of a common table whose rows are to be kept, as they are read several times. */
  readonly keptTable: string;
  /** The same of one that is better read anew wherever it is named. */
  readonly inlinedTable: string;
  /** The microseconds of a time, as a whole number. */
  microseconds(time: string): string;
  /** The type in which a union has columns of these types; undefined where the engine finds it by itself. */
  unionType(types: readonly string[]): string | undefined;
  /**
   * A SELECT of `judged`, `entity`, `time` of each row of the table `anchor`, and of `near`: the time of the next or
   * last event in the order of ids, NULL where there is none. Tables have `entity`, `id` and `time`; anchors have
   * `judged` as well.
   */
  nearest(anchor: string, events: string, side: RuleSide): string;
  /**
   * A SELECT of `judged`, `time` of each row of the table `anchor`, and of `found`: how many events its entity has on
   * one side of it in the order of ids.
   * @param within microseconds, inclusive; undefined without a limit
   */
  countBeside(anchor: string, events: string, side: RuleSide, within: number | undefined): string;
  /** Where each mention of a common table reads it anew: how to do with one mention. */
  readonly readOnce?: ReadOnceSql;
}

/** Aggregates that keep rows, and rows of them. */
export interface ReadOnceSql {
  /** Aggregates the columns of the rows with the least `order` to one value. @param count at least 1, at most 10,000 */
  least(columns: readonly string[], order: string, count: number, condition: string): string;
  /** A table of a row of NULLs, and of the rows in the value of `least`. */
  nothingAnd(value: string): string;
  /** A table of these values of a row that is joined with it. */
  rows(rows: readonly (readonly string[])[]): string;
}

/** Where events lie that are counted from another one. */
export type RuleSide = 'after' | 'before';

/** Several keys in one value. */
export interface Lists {
  /** SELECT of `row` and `key`: the different texts between separators. Missing and empty ones may be among them. */
  split(list: ListValue, separator: string): string;
  /** The same of the items of JSON arrays: texts as they are, numbers and booleans in their canonical text. */
  items(list: ListValue): string;
  /**
   * True for a text that is there and no JSON array of texts, numbers, booleans and nulls.
   * @param mayBeAnyText it may be no JSON at all
   */
  isNoList(text: string, mayBeAnyText: boolean): string;
}

/** Where the texts are that hold several keys. */
export interface ListValue {
  /** SQL of the number of the row, and of its text. */
  readonly row: string;
  readonly text: string;
  /** What stands behind SELECT: tables and conditions. */
  readonly from: string;
}
