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

interface Literals {
  /** A string literal. Throws on NUL. */
  quote(text: string): string;
  /** A string literal of type text even without context, as in a UNION. */
  text(text: string): string;
}

interface Operators {
  /** `left sign right suffix` for a mapping operator. A backslash escapes in LIKE. */
  comparison(operator: MappingOperator): { readonly sign: string; readonly suffix: string };
  /** Undefined if the engine compares texts by their characters, as keys and mappings do. */
  readonly texts: TextComparison | undefined;
  /** Undefined if times of all types compare as the graph has them. */
  readonly times: TimeComparison | undefined;
  /** Undefined if the engine compares numbers of all types exactly. */
  readonly numbers?: NumberComparison | undefined;
  /** The engine compares numbers with texts, which others refuse. */
  readonly comparesUnlikeTypes?: true;
}

/** SQL that compares times as a graph has them: in UTC, and NULL where they are missing. */
export interface TimeComparison {
  /**
   * Whether two columns can be compared without conversion.
   * @param timeZone of times without zone
   */
  areAlike(left: TimeColumn, right: TimeColumn, timeZone: string): boolean;
  /** A value that has the order of the times. @param other the column that it is compared with */
  operand(value: string, column: TimeColumn, timeZone: string, other: TimeColumn): string;
  /** Whether equal times are also equal unconverted, so that an index can be used; default: never. */
  areEqualAsStored?(left: TimeColumn, right: TimeColumn, timeZone: string): boolean;
}

/** SQL that compares numbers by their exact values, without rounding to floating-point numbers. */
export interface NumberComparison {
  /** The condition; undefined for columns that the engine compares exactly. */
  condition(left: NumberOperand, operator: MappingOperator, right: NumberOperand): string | undefined;
}

export interface NumberOperand {
  readonly sql: string;
  readonly type: string;
}

/** The parts of a column that determine how it stores times. */
export type TimeColumn = Pick<Column, 'type' | 'timeForm'>;

/** SQL that compares texts by their characters in an engine that uses collations. */
export interface TextComparison {
  /** An operand of a comparison. */
  operand(text: string, operator: MappingOperator): string;
  /** A text in GROUP BY, and in conditions on equal values. */
  group(text: string): string;
  /** Whether two columns are compared by their characters without conversion; default: none are. */
  areAlike?(left: TextColumn, right: TextColumn, operator: MappingOperator): boolean;
  /** A selected text that DISTINCT compares by its characters; by default, GROUP BY replaces DISTINCT. */
  selected?(text: string, column: TextColumn): string;
}

/** The properties of a column that determine how its texts compare. */
export type TextColumn = Pick<Column, 'type' | 'collation'>;

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
 * Columns whose values in the source mean the same as the staged values, so that counting in both gives the same rows.
 * False in case of doubt.
 */
export interface ExactValues {
  /** Their canonical text is that of the staged value. */
  texts(type: string, sense: ColumnSense): boolean;
  /** Whether every missing value is NULL. @param sense undefined if unknown */
  nulls(sense: ColumnSense | undefined): boolean;
  /** Whether they compare like times, if times without zone are in UTC. */
  times(type: string, sense: ColumnSense): boolean;
}

/** SQL of UTC times. */
export interface Times {
  /** The type of times without zone that graphs have: microseconds. */
  readonly type: string;
  /** A literal of a time without zone, from ISO 8601. */
  literal(iso: string): string;
  /** The first and last timestamp that can be converted between time zones: two days inside the range of the engine. */
  readonly movable: readonly [first: string, last: string];
  /** True for finite times, and NULL for NULL: a missing time is not an infinite one. */
  isFinite(time: string): string;
  /**
   * The UTC time of a time without zone: moved forward in a daylight saving gap, with the earlier offset in an overlap.
   */
  inZone(time: string, timeZone: string): string;
  /** The last microsecond of a date, as a time without zone. */
  endOfDay(date: string): string;
  /**
   * A text in the engine's notation of eras; NULL for a time with digits below microseconds, which the engine would cut
   * off or round.
   */
  readableText(text: string): string;
  /** True for a time text with an offset. */
  hasOffset(text: string): string;
  /** The UTC time of a text with an offset; NULL for other texts. */
  zonedText(text: string): string;
  /** The time of a text without offset; NULL for other texts. */
  naiveText(text: string): string;
  readonly written: WrittenTimes;
  /** SQL of times that are stored as numbers, for people to use; undefined if a setting of the source declares them. */
  readonly stored: StoredTimes | undefined;
  /** The UTC time of a valid ISO 8601 text with an offset. */
  utcLiteral(iso: string): string;
}

/** SQL of times that are written in the columns of a table, as first graphs compute them. */
interface WrittenTimes {
  /** Whether the engine can parse a format. */
  reads(format: string): boolean;
  /** The text of a column with texts or numbers, with leading zeros up to a number of digits. */
  text(column: string, digits: number): string;
  /**
   * The time of a text, NULL for a text of another form.
   * @param format that the engine reads, in the notation of strptime: `%Y`, `%m`, `%d`, `%H`, `%M`, `%S` and signs
   */
  parsed(text: string, format: string, sense: 'timestamp' | 'date' | 'time'): string;
  /** The timestamp of a date and a time of day; midnight without one, NULL without a date. */
  atTimeOfDay(date: string, time: string): string;
}

/** SQL of times from numbers and texts that are no times of the engine; NULL for NULL. */
export interface StoredTimes {
  /** The number that a text is, which fails for any other text; undefined if the engine has no such conversion. */
  readonly number: ((text: string) => string) | undefined;
  /** The time so long after the beginning of 1970 in UTC. */
  epoch(value: string, unit: 'seconds' | 'milliseconds'): string;
  /** The time without zone so many days after 1899-12-30, in whole milliseconds. */
  excelDays(value: string): string;
  /** The time in a text such as `/Date(1719820800000)/`. */
  jsonDate(text: string): string;
  /** `epoch` and `jsonDate` give times without zone, in UTC. */
  readonly areInUtc?: true;
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
interface Validator {
  /** Selects the parser. Resolves to undefined if there is none, or if it is not available here. */
  parser<Parser>(parsers: SqlParsers<Parser>): Promise<Parser | undefined>;
  /** Major version of the engine that the parser belongs to; undefined when it is the executing engine. */
  readonly parserVersion: number | undefined;
  /** The parser accepts undefined operators, such as `==`. */
  readonly acceptsUnknownOperators: boolean;
}

/** Available parsers (`sql/sql-validator-of.ts`). */
interface SqlParsers<Parser> {
  /** PostgreSQL's parser, loaded in-process on first use. */
  readonly libpgQuery: () => Promise<Parser>;
  /** DuckDB in a separate process; undefined if not started. */
  readonly embeddedEngine: Parser | undefined;
  /** Checks names by their tokens, for dialects without a parser. */
  readonly namesOnly: (dialect: Pick<Dialect, 'identifiers' | 'lexis'>) => Parser;
}

/** The properties of a staged column that SQL of its value needs. */
type StagedValue = Pick<Column, 'sense'> & { readonly stagedAs: string; readonly stagedType: string };

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
  /** A NULL of the type text, for places where the type cannot be inferred. */
  readonly noText: string;
  /** The expression at a 1-based position of a list of expressions. */
  elementAt(list: readonly string[], place: string): string;
  /** The number of rows for which a condition holds. */
  countIf(condition: string): string;
  /** The number of different rows of some columns. */
  countDistinct(columns: readonly string[]): string;
  /** A text literal, or NULL, as a value of the type JSON. */
  json(literal: string): string;
  /** A text as a sort key that orders by characters in every engine, not by language. */
  sortedText(expression: string): string;
  /** A numeric sequence value, converted to one type for all elements if the engine requires it. */
  sequenceNumber(column: StagedValue): string;
  /** The sequence of an element without one. */
  noSequence(kind: SequenceKind): string;
  /** A NULL of the type of entity ids, for places where the type cannot be inferred. */
  readonly noId: string;
  /** A whole number in a type that has room for the square of the number of rows. */
  wide(number: string): string;
  /** The last value of a group that is not NULL, by an order; in its type if known. */
  lastKnown(value: string, order: string, type: string | undefined): string;
  readonly lists: Lists;
  readonly judging: JudgingSql;
  readonly measuring: MeasuringSql;
  /** SQL that numbers rows by ranges on all nodes in parallel; undefined if a single sort numbers them. */
  readonly ranges: RangeSql | undefined;
}

/**
 * SQL that divides rows into ranges of their order, so that each range is numbered separately. Places among bounds may
 * be approximate: ranges are correct as long as their numbers never decrease in the order of rows.
 */
export interface RangeSql {
  /** A number of a time that never falls while the time rises; finite, NULL for NULL. */
  timeNumber(time: string): string;
  /** A number of any type, as a number that is compared with bounds. */
  number(value: string): string;
  /** Texts with a common prefix, as numbers that are compared with bounds. @param skipped length of the prefix */
  textNumber(text: string, skipped: string): string;
  /** How many characters two texts have in common at their beginning. */
  commonLength(one: string, other: string): string;
  /** Aggregates numbers to a sorted list of bounds that cut them into about equal ranges. At most 799. */
  bounds(number: string): string;
  /** Bounds of integers, with a separate range for each frequent one. */
  boundsAroundFrequent(number: string): string;
  /** Number of ranges that the bounds of one aggregation delimit. */
  readonly count: number;
  /** Maximum number of selects with joins in one statement. */
  readonly selectsAtOnce: number;
  /** The place of a number among bounds, from 0; 0 without bounds or number. */
  place(number: string, bounds: string): string;
  /** Aggregates a value of each range `part` to a single value that has all of them. */
  ofRanges(value: string): string;
  /** The value of the range of a row with the column `part`; NULL if the range has none. */
  ofRange(values: string): string;
}

/** SQL of the numbers of measures (docs/semantics.md#18-measures). */
export interface MeasuringSql {
  /**
   * SQL after FROM for `quantile`: the table `measured` with all columns of a table with `value`.
   * @param by columns that values are grouped by
   */
  quantiled(values: string, by: readonly string[]): string;
  /** The aggregate of a quantile of `value`, interpolated between neighbours. @param share 0 to 1 */
  quantile(share: number): string;
}

/** SQL by which graphs are judged by rules of the process (docs/semantics.md#17-process-rules). */
export interface JudgingSql {
  /** A duration of whole milliseconds as an interval. */
  interval(microseconds: number): string;
  /** Keyword after AS of a common table expression that is materialized, because it is read several times. */
  readonly keptTable: string;
  /** Keyword after AS of a common table expression that is inlined wherever it is named. */
  readonly inlinedTable: string;
  /** The microseconds of a time, as a whole number. */
  microseconds(time: string): string;
  /** The common type of columns of these types in a union; undefined if the engine finds it itself. */
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
  /** For engines that evaluate a common table expression at each reference: SQL with a single reference. */
  readonly readOnce?: ReadOnceSql;
}

/** Aggregates that keep rows, and rows of them. */
export interface ReadOnceSql {
  /** Aggregates the columns of the rows with the least `order` to one value. @param count at least 1, at most 10,000 */
  least(columns: readonly string[], order: string, count: number, condition: string): string;
  /** A table of one row of NULLs, followed by the rows in the value of `least`. */
  nothingAnd(value: string): string;
  /** A table of these values of a row that is joined with it. */
  rows(rows: readonly (readonly string[])[]): string;
}

/** The side of an event on which other events are searched. */
export type RuleSide = 'after' | 'before';

/** Several keys in one value. */
export interface Lists {
  /** SELECT of `row` and `key`: the distinct texts between separators, possibly including NULL and empty texts. */
  split(list: ListValue, separator: string): string;
  /**
   * SELECT of `row` and `key`: the distinct items of JSON arrays. Texts are unchanged; numbers and booleans have their
   * canonical text.
   */
  items(list: ListValue): string;
  /**
   * True for a text that is not NULL and not a JSON array of texts, numbers, booleans and nulls. @param mayBeAnyText
   * the text may be invalid JSON
   */
  isNoList(text: string, mayBeAnyText: boolean): string;
}

/** Location of the texts that contain several keys. */
interface ListValue {
  /** SQL of the number of the row, and of its text. */
  readonly row: string;
  readonly text: string;
  /** SQL after FROM: tables and conditions. */
  readonly from: string;
}
