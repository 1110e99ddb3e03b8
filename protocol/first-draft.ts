import type { draftAnswer, draftRole, furtherSource } from './shapes/draft-shapes.ts';
import type { Checked } from './shapes/shape.ts';

export type DraftRole = Checked<typeof draftRole>;
export type DraftAnswer = Checked<typeof draftAnswer>;
export type FurtherSource = Checked<typeof furtherSource>;

/** A reason of a choice: a text that completes "chosen because it …", with placeholders `{0}`, and their values. */
export interface DraftReason {
  readonly text: string;
  readonly values: readonly string[];
}

/** A choice for a first graph, with its reasons. */
export interface DraftColumn {
  readonly dataObject: string;
  readonly role: DraftRole;
  readonly columns: readonly string[];
  /** The reasons in English. */
  readonly reason: string;
  /** The reasons in a form that can be translated. */
  readonly reasons: readonly DraftReason[];
}

/** A role with two or more equally good columns. */
export interface DraftChoice extends DraftColumn {
  /** The alternatives; without a choice of the user, `columns` are used. */
  readonly others: readonly Pick<DraftColumn, 'columns' | 'reason' | 'reasons'>[];
}

/** A data object that is not part of a first graph. */
export interface OmittedObject {
  readonly dataObject: string;
  readonly reason: string;
}

/** The outcome of drafting a first graph. */
export type DraftOutcome =
  | { readonly kind: 'written'; readonly chosen: readonly DraftColumn[]; readonly leftOut: readonly OmittedObject[] }
  /** Nothing was written: the user has to choose first. */
  | { readonly kind: 'question'; readonly choice: DraftChoice };

/** The graph of one data file: those that exist, or what is to be written. */
export type FileGraphView =
  | { readonly kind: 'exists'; readonly graphs: readonly string[] }
  | {
      readonly kind: 'drafted';
      /** URI of the sources file with its text before and after; no text before of a new file. */
      readonly sources: { readonly uri: string; readonly before?: string | undefined; readonly after: string };
      readonly dataSource: string;
      /** URI of the graph. */
      readonly graph: string;
      readonly text: string;
      readonly chosen: readonly DraftColumn[];
      /** The first choice between equally good columns for which there was no answer. */
      readonly choice?: DraftChoice | undefined;
    };
