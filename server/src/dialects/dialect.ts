import type { Column, ColumnSense, SqlDialect } from '../catalog/catalog.ts';
import type { MappingOperator } from '../model/entity-graph.ts';

/** Everything that is true of one SQL dialect and of no other. Nobody else asks for the name of a dialect to decide anything. */
export interface Dialect {
  /** Its name in catalogs and in the registry. */
  readonly name: SqlDialect;
  /** Its name for people. */
  readonly label: string;
  /** Its SQL runs in the embedded engine, over views and tables that a connector makes there before it runs. */
  readonly isEmbedded: boolean;
  readonly identifiers: Identifiers;
  readonly literals: Literals;
  readonly operators: Operators;
  readonly canonical: CanonicalText;
  readonly times: Times;
  readonly completion: Completion;
  readonly validator: Validator;
  /** Absent when the engine cannot build graphs: its rows are then pulled into the embedded engine. */
  readonly build: BuildSql | undefined;
}

/** A dialect whose engine can build graphs. */
export interface BuildingDialect extends Dialect {
  readonly build: BuildSql;
}

export interface Identifiers {
  /** A name in quotes. Throws on NUL, which no engine can carry in its SQL text. */
  quote(name: string): string;
  /** An unquoted word as the engine reads it. */
  fold(word: string): string;
  /** The form in which the engine compares two quoted names: equal for names that it cannot keep apart. */
  key(name: string): string;
  /** Whether a name without quotes is read as itself. */
  isBare(name: string): boolean;
  /** The engine cuts off longer names, in bytes of UTF-8; undefined where there is no limit that matters. */
  readonly maxBytes: number | undefined;
  /** Names of schemas that begin so are the engine's own; undefined where there are none. */
  readonly reservedPrefix: string | undefined;
  /** The parts of a data object's name as SQL addresses it, where no catalog tells them. */
  path(name: string): readonly string[];
}

export interface Literals {
  /** A text in quotes. Throws on NUL. */
  quote(text: string): string;
  /** A text literal whose type is text also where nothing tells its type, as in a UNION. */
  text(text: string): string;
}

export interface Operators {
  /** `left sign right suffix` for an operator of a mapping. A backslash escapes in LIKE. */
  comparison(operator: MappingOperator): { readonly sign: string; readonly suffix: string };
}

/** SQL of the one text form of values, equal in all engines (the rules of keys). */
export interface CanonicalText {
  /**
   * @param value SQL of the value in parentheses, evaluated several times. A timestamp without zone must already be in UTC.
   * @param type the engine's own name of its type.
   * @param sense needed only where a number is staged as text because no numeric type can hold it.
   */
  value(value: string, type: string, sense?: ColumnSense): string;
  /**
   * The key of several parts, from their canonical texts: a JSON array of strings. Equal in all engines but for control
   * characters without a short escape, whose hexadecimal letters differ in case.
   */
  key(parts: readonly string[]): string;
  /** One text of all values of a row, which is only compared. */
  row(texts: readonly string[]): string;
}

/** SQL of UTC times. */
export interface Times {
  /** The first and last timestamp that can be moved between time zones: two days less at both ends than the engine can hold. */
  readonly movable: readonly [first: string, last: string];
  /** True for a time that is not infinite. */
  isFinite(time: string): string;
  /** The UTC time of a time without zone: in a gap of daylight saving it moves forward, in an overlap the earlier offset holds. */
  inZone(time: string, timeZone: string): string;
  /** A text with its era written as the engine reads it. */
  eraText(text: string): string;
  /** True for a text whose time says its offset. */
  hasOffset(text: string): string;
  /** The UTC time of a text with an offset; NULL where it is none. */
  zonedText(text: string): string;
  /** The time of a text without offset; NULL where it is none. */
  naiveText(text: string): string;
  /** The time of a text that is written in a format of strptime, NULL where it is none; undefined where the engine knows no such formats. */
  readonly formatted: ((text: string, format: string) => string) | undefined;
  /** The UTC time of an ISO 8601 text with an offset, which is certain to be one. */
  utcLiteral(iso: string): string;
}

export interface Completion {
  /** By name. */
  readonly functions: readonly SqlFunction[];
  /** Words that may stand in a condition. */
  readonly conditionWords: readonly string[];
  /** Words that bring in further tables. */
  readonly joinWords: readonly string[];
}

/** A function of SQL as it is proposed. */
export interface SqlFunction {
  readonly name: string;
  /** Its arguments, such as `(text, from, length)`. */
  readonly takes: string;
  /** Its result, in a few words. */
  readonly says: string;
}

/** How custom SQL is validated. */
export interface Validator {
  /** Chooses the parser that finds mistakes. Resolves to undefined if there is none, or if it is not available here. */
  parser<Parser>(parsers: SqlParsers<Parser>): Promise<Parser | undefined>;
  /** The parser is that of this major version of the engine; undefined where it is the one that runs the SQL. */
  readonly parserVersion: number | undefined;
  /** The parser accepts operators that nobody has defined, such as `==`. */
  readonly acceptsUnknownOperators: boolean;
}

/** The parsers to choose from (`sql/sql-validator-of.ts`). */
export interface SqlParsers<Parser> {
  /** PostgreSQL's own, loaded on first use into the process that asks. */
  readonly libpgQuery: () => Promise<Parser>;
  /** Runs in a process of its own; undefined if that was not started. */
  readonly embeddedEngine: Parser | undefined;
}

/** A staged column, as far as SQL of its value needs it. */
export type StagedValue = Pick<Column, 'sense'> & { readonly stagedAs: string; readonly stagedType: string };

/** What a sequence is ordered by. */
export type SequenceKind = 'number' | 'time' | 'text';

/** SQL of the statements that build a graph. */
export interface BuildSql {
  /** Begins the statement that makes a table of the build itself, gone when it ends. */
  readonly createStaging: string;
  /** Begins the statement that makes a view of the build itself, gone when it ends. */
  readonly createStagingView: string;
  /**
   * A table keeps the order of the query that it was made of, and its row numbers and windows without order go by it. Neighbours are then found
   * in a sorted table, from which the table `process_map` is made as well.
   */
  readonly keepsRowOrder: boolean;
  /** The column of a staged table that counts its rows from 0, as SQL. */
  readonly rowPlace: string;
  /** A missing text, of the type text also where nothing tells its type. */
  readonly noText: string;
  /** Of a list of expressions the one at a place, counted from 1. */
  elementAt(list: readonly string[], place: string): string;
  /** The number of rows for which a condition holds. */
  countIf(condition: string): string;
  /** The number of different rows of some columns. */
  countDistinct(columns: readonly string[]): string;
  /** A text literal, or NULL, as a value of the type JSON. */
  json(literal: string): string;
  /** A text as it is sorted everywhere: by its characters, not by a language. */
  sortedText(expression: string): string;
  /** A number of a sequence, of one type for all elements where the engine needs that to compare them. */
  sequenceNumber(column: StagedValue): string;
  /** The sequence of an element that has none. */
  noSequence(kind: SequenceKind): string;
  /** An id of an entity that is missing, where nothing tells its type. */
  readonly noId: string;
  readonly lists: Lists;
}

/** Several keys in one value. */
export interface Lists {
  /** SELECT of `row` and `key`: the different texts between separators. Missing and empty ones may be among them. */
  split(list: ListValue, separator: string): string;
  /** The same of the items of JSON arrays: texts as they are, numbers and booleans in their canonical text. */
  items(list: ListValue): string;
  /** True for a text that is there and no JSON array of texts, numbers, booleans and nulls. @param mayBeAnyText it may be no JSON at all */
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
