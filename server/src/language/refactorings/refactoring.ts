import type { GraphContext } from '../graph-context.ts';
import type { EditOutcome } from '../../model/edits/proven-edits.ts';

/** A change of a graph that is offered where it makes sense, without anything being wrong. */
export interface OfferedChange {
  readonly title: string;
  /** Made when it is chosen: editors ask what is offered with every move of the cursor. */
  edits(): EditOutcome;
}

/** One kind of change; `offset` is where the cursor is. */
export interface Refactoring {
  /** LSP's kind, such as `refactor.rewrite`. */
  readonly kind: string;
  offers(context: GraphContext, offset: number): readonly OfferedChange[];
}
