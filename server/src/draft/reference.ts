import type { DraftReason } from '../../../protocol/first-draft.ts';

/** Columns of a table that hold keys of another one. */
export interface Reference {
  readonly from: string;
  readonly columns: readonly string[];
  readonly to: string;
  readonly toColumns: readonly string[];
  readonly isDeclared: boolean;
  readonly reason: DraftReason;
}
