/** What became of one file, as the command line prints it (docs/semantics.md#152-commands). */
export interface FileOutcome {
  /** Absolute path. */
  readonly file: string;
  readonly action: 'reset' | 'unchanged' | 'created' | 'deleted' | 'exported' | 'imported' | 'refused';
  /** Why it was refused, or what else is worth knowing. */
  readonly message?: string;
  /** The file that is in the way, when that is why. */
  readonly existing?: string;
}
