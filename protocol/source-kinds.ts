/** A source kind as shown by the client. Texts are English; the client translates those in its bundle. */
export interface SourceKindView {
  /** The value of `kind` in a sources file. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** Name of a codicon. */
  readonly icon: string;
  readonly abilities: readonly SourceAbility[];
  /** Suggested name of a new data source. */
  readonly proposedName: string;
  /** The questions of *Add Data Source*, in order. */
  readonly questions: readonly SourceQuestion[];
}

/** Capabilities that enable commands for some kinds only. */
export type SourceAbility = 'explore' | 'signIn' | 'writeRecords';

export interface SourceQuestion {
  /** Path of the setting, such as `auth.user`; numbers are list indexes. */
  readonly setting: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly fallback?: string;
  /** Proposed instead of `fallback`: the data files of the workspace with one of these extensions. */
  readonly proposedFiles?: readonly string[];
  /** An empty answer omits the setting. */
  readonly optional?: boolean;
  /** Stored in secret storage; the settings get a reference. */
  readonly secret?: boolean;
  readonly choices?: readonly SourceChoice[] | undefined;
  /** Conversion of the entered text: to a number, or to the list of its comma-separated parts. */
  readonly writtenAs?: 'number' | 'list' | 'text or list';
  readonly expects?: ExpectedAnswer | undefined;
  /** Asked only when another question has one of these answers. */
  readonly when?: { readonly setting: string; readonly oneOf: readonly string[] };
}

export interface SourceChoice {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  /** Written instead of `value`. */
  readonly writes?: string;
  /** A further setting implied by the choice. */
  readonly entails?: { readonly setting: string; readonly value: string };
}

/** Validation of an answer; `message` explains it to the user. */
export type ExpectedAnswer = { readonly message: string } & (
  | { readonly kind: 'integer'; readonly from: number; readonly to: number }
  | { readonly kind: 'start'; readonly start: string }
  | { readonly kind: 'address' }
);
