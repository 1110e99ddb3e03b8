import type { WrittenValue } from '../catalog/written-value.ts';
import type { Located, SourceRange } from '../model/source-range.ts';
import type { YamlText } from '../model/yaml-text.ts';

/** A file of tests of one entity graph. Missing and malformed values are absent, never guessed. */
export interface GraphTests {
  /** Path of the entity graph, relative to this file. */
  readonly graph?: Located<string> | undefined;
  /** Columns that apply to all tests. */
  readonly columns: readonly ColumnTypes[];
  readonly tests: readonly GraphTest[];
  readonly yaml: YamlText;
}

/** Declared columns of a data object. */
export interface ColumnTypes {
  readonly dataObject: Located<string>;
  readonly columns: readonly DeclaredColumn[];
}

export interface DeclaredColumn {
  readonly name: Located<string>;
  readonly type: Located<string>;
  readonly isKey: boolean;
}

export interface GraphTest {
  /** 0-based index in the file. */
  readonly index: number;
  readonly range: SourceRange;
  readonly name?: Located<string> | undefined;
  readonly given: readonly GivenObject[];
  readonly columns: readonly ColumnTypes[];
  readonly expect: Expectations;
}

/** The rows of a data object. */
export interface GivenObject {
  readonly name: Located<string>;
  readonly rows: readonly GivenRow[];
  /** The file with the rows, relative to the file of the tests. */
  readonly file?: Located<string> | undefined;
}

interface GivenRow {
  readonly range: SourceRange;
  readonly cells: readonly GivenCell[];
}

export interface GivenCell {
  readonly column: Located<string>;
  readonly range: SourceRange;
  readonly value: GivenValue;
}

/** A value as written. */
export type GivenValue = WrittenValue;

/** Absent expectations are not compared. */
export interface Expectations {
  readonly events?: ExpectedList<ExpectedEvent>;
  readonly eventsInclude?: ExpectedList<ExpectedEvent>;
  readonly directlyFollows?: ExpectedList<ExpectedPair>;
  readonly relations?: ExpectedList<ExpectedRelation>;
  readonly entities?: ExpectedList<ExpectedEntity>;
  /** By rule of the graph. */
  readonly rules?: readonly ExpectedRule[];
  /** By named query of the graph. */
  readonly queries?: readonly ExpectedQuery[];
}

/** The rows of a named query over the graph of the test. */
export interface ExpectedQuery {
  readonly name: Located<string>;
  readonly list: ExpectedList<ExpectedRow>;
}

export interface ExpectedRow {
  readonly range: SourceRange;
  readonly values: readonly ExpectedValue[];
}

export interface ExpectedValue {
  readonly name: Located<string>;
  readonly value: GivenValue;
}

/** The expected result of a rule over the graph of the test. */
export interface ExpectedRule {
  readonly name: Located<string>;
  readonly counts: readonly { readonly name: RuleCount; readonly count: Located<number> }[];
}

export const ruleCounts = ['judged', 'concerned', 'kept', 'broken', 'pending', 'undecided'] as const;
type RuleCount = (typeof ruleCounts)[number];

export interface ExpectedList<Item> {
  /** Range of the key, such as `events`. */
  readonly key: SourceRange;
  /** Range of the list. */
  readonly range: SourceRange;
  readonly items: readonly Item[];
}

export interface ExpectedEvent {
  readonly range: SourceRange;
  readonly activity?: Located<string> | undefined;
  /** Null for an event without an entity. */
  readonly entity?: ExpectedEntity | null | undefined;
  readonly time?: Located<string> | undefined;
  readonly lifecycle?: string | undefined;
  readonly properties: readonly ExpectedValue[];
}

export interface ExpectedEntity {
  readonly range: SourceRange;
  readonly type?: Located<string> | undefined;
  /** The text of the key (docs/semantics.md#43-the-text-of-a-key). */
  readonly key: string;
}

export interface ExpectedPair {
  readonly range: SourceRange;
  readonly source: Located<string>;
  readonly target: Located<string>;
}

export interface ExpectedRelation {
  readonly range: SourceRange;
  readonly relationship?: Located<string> | undefined;
  readonly source?: ExpectedEntity | undefined;
  readonly target?: ExpectedEntity | undefined;
}
