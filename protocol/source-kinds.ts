/** What the client shows of one kind of data source. Texts are English; the client translates those that its bundle has. */
export interface SourceKindView {
  /** The value of `kind` in a sources file. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** Name of a codicon. */
  readonly icon: string;
  readonly abilities: readonly SourceAbility[];
  /** Proposed as the name of a new data source. */
  readonly proposedName: string;
  /** What *Add Data Source* asks, in this order. */
  readonly questions: readonly SourceQuestion[];
}

/** Commands that are for data sources of some kinds only. */
export type SourceAbility = 'explore' | 'signIn' | 'writeRecords';

export interface SourceQuestion {
  /** Path of the setting, such as `auth.user`; numbers in it are places in a list. */
  readonly setting: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly fallback?: string;
  /** The setting is left out when nothing is entered. */
  readonly optional?: boolean;
  /** Kept in secret storage; the settings get a reference. */
  readonly secret?: boolean;
  readonly choices?: readonly SourceChoice[];
  /** What is written instead of the text: the number that it is, or the parts between its commas. */
  readonly writtenAs?: 'number' | 'list' | 'text or list';
  readonly expects?: ExpectedAnswer;
  /** Asked only when another question was answered with one of these. */
  readonly when?: { readonly setting: string; readonly oneOf: readonly string[] };
}

export interface SourceChoice {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  /** What is written instead of `value`. */
  readonly writes?: string;
  /** A further setting that the choice entails. */
  readonly entails?: { readonly setting: string; readonly value: string };
}

/** What an answer must be; `message` says so to the user. */
export type ExpectedAnswer = { readonly message: string } & (
  | { readonly kind: 'integer'; readonly from: number; readonly to: number }
  | { readonly kind: 'start'; readonly start: string }
  | { readonly kind: 'address' }
);
