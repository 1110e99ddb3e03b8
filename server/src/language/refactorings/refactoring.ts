import type { GraphContext } from '../graph-context.ts';
import type { EditOutcome } from '../../model/edits/verified-edits.ts';

/** An offered refactoring. */
export interface OfferedChange {
  readonly title: string;
  /** Computed when selected, because editors request offers on every cursor move. */
  edits(): EditOutcome;
}

/** A kind of refactoring; `offset` is the cursor. */
export interface Refactoring {
  /** LSP code action kind, such as `refactor.rewrite`. */
  readonly kind: string;
  offers(context: GraphContext, offset: number): readonly OfferedChange[];
}
