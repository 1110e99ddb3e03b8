import type { SourceRange } from './source-range.ts';

export type ListKey = 'elements' | 'relationships';

/** A top-level key of a block-style text with its content. */
export interface YamlSection extends SourceRange {
  /** The entries, if its value is a block list; otherwise the section is parsed as a whole. */
  readonly items?: readonly SourceRange[];
  /** Indentation of the dashes. */
  readonly indent?: number;
  /** The list of its entries, if its key line is missing. */
  readonly key?: ListKey;
  /** The end of its entries is uncertain because of an error: a change in one may affect others. */
  readonly isTentative?: true;
}
