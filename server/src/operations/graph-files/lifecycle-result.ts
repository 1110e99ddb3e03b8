/** Result for one file, as printed by the command line (docs/semantics.md#152-commands). */
export interface FileOutcome {
  /** Absolute path. */
  readonly file: string;
  readonly action: 'reset' | 'unchanged' | 'created' | 'deleted' | 'exported' | 'imported' | 'refused';
  /** Why it was refused, or further information. */
  readonly message?: string;
  /** The existing file, when that is the reason. */
  readonly existing?: string;
}
