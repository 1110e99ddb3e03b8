import type { SourceRange } from './source-range.ts';

export type ListKey = 'elements' | 'relationships';

/** A top-level key of a block-style text with everything that belongs to it. */
export interface YamlSection extends SourceRange {
  /** The entries of its list, when its value is a list in block style; else the section is parsed as a whole. */
  readonly items?: readonly SourceRange[];
  /** Columns before the dashes of that list. */
  readonly indent?: number;
  /** The list that its entries are of, where no line of its own says so. */
  readonly key?: ListKey;
  /** A mistake, or what may become one, decides where its entries end: what is typed in one may change that of others. */
  readonly isTentative?: true;
}
