/** What a source counted of whole tables, because samples cannot decide. */
export interface SourceCounts {
  /** Shares of the values of columns that are keys of another table; by `inclusionId`. */
  readonly shares: ReadonlyMap<string, number>;
  /** Keys of samples that repeat in the whole tables; by `keyId`. */
  readonly repeated: ReadonlySet<string>;
}
