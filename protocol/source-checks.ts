/** One thing that a data source needs in order to be used, and whether it has it. */
export interface SourceCheck {
  /** Such as `Network`. */
  readonly name: string;
  /** `failed`: imports fail because of it, if not everything else. */
  readonly state: 'ok' | 'warning' | 'failed';
  /** What was found. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** What examining a data source found, in the order it was done. A failure of what everything else needs is the last check. */
export interface SourceReport {
  readonly checks: readonly SourceCheck[];
  /** Of the whole examination. */
  readonly durationMs: number;
  /** Data objects found, when it came that far. */
  readonly objects?: number;
}
