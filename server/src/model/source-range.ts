/** A half-open span of a document, in UTF-16 offsets from its start. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** A value of the model with its range in the text. */
export interface Located<T> {
  readonly value: T;
  readonly range: SourceRange;
}

/**
 * SQL in a YAML scalar. `range` covers the scalar as written (with quotes and block header);
 * `sourceOffsets[i]` is the document offset of character `i` of `value`, to map error positions exactly. It has
 * `value.length + 1` entries: the last one is the end of the text.
 */
export interface LocatedSql extends Located<string> {
  readonly sourceOffsets: readonly number[];
}
