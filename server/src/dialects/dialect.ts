import type { Column, ColumnSense, SqlDialect } from '../catalog/catalog.ts';
import type { BuildSql } from './standard/build-sql.ts';
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
   * @param timeZone of times without zone in the data source
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
export interface TimeColumn extends Pick<Column, 'type' | 'timeForm'> {
  /** The zone of its times without one, if it is not that of the data source. */
  readonly timeZone?: string | undefined;
}

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
