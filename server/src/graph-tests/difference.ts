import type { SourceRange } from '../model/source-range.ts';
import type { Expectations } from './graph-tests.ts';
import type { ListEdit } from './list-edits.ts';

/** An expectation that does not hold. */
export interface Difference {
  /** The key of the expectation, such as `events`. */
  readonly expectation: keyof Expectations;
  readonly message: string;
  /** Range of the first missing item, or of the key. */
  readonly range: SourceRange;
  /** The list in the file, and the list that would hold, with one item a line; absent where there is none. */
  readonly expected?: string;
  readonly actual?: string;
  /** Edits of the file after which it holds; absent if unknown. */
  readonly edits?: readonly ListEdit[];
}
