/** A half-open span of a document, in UTF-16 offsets from its start. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** A value of the model together with the place in the text where it is written. */
export interface Located<T> {
  readonly value: T;
  readonly range: SourceRange;
}

/**
 * SQL written in a YAML scalar. `range` covers the scalar as written (quotes and block header included);
 * `sourceOffsets[i]` is the document offset of character `i` of `value`, so that an error inside folded, quoted or
 * block text can be placed exactly. It has `value.length + 1` entries: the last one is the end of the text.
 */
export interface LocatedSql extends Located<string> {
  readonly sourceOffsets: readonly number[];
}
