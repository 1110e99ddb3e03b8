/** The roles of columns in a first graph. */
export type DraftRole = 'case' | 'activity' | 'time' | 'change' | 'sequence' | 'object' | 'key' | 'reference';

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

/** The choice of the user for a role. */
export interface DraftAnswer {
  readonly dataObject: string;
  readonly role: DraftRole;
  readonly columns: readonly string[];
}

/** A data source of a first graph beside the first one, in the same file. */
export interface FurtherSource {
  readonly dataSource: string;
  /** Names of its data objects; default: those of the names for the whole draft that it has. */
  readonly objects?: readonly string[] | undefined;
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
