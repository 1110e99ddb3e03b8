import type { Column } from '../../catalog/catalog.ts';

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

/** The properties of a staged column that SQL of its value needs. */
export type StagedValue = Pick<Column, 'sense'> & { readonly stagedAs: string; readonly stagedType: string };
