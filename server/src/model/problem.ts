import type { SourceRange } from './source-range.ts';

export type Severity = 'error' | 'warning' | 'information';

/** Another place that a problem is about. */
export interface RelatedPlace {
  readonly message: string;
  readonly range: SourceRange;
}

/** A user's mistake as data: what is wrong, where, and how to mend it. */
export interface Problem {
  /** Stable, kebab-case; has an entry in `docs/rules.md`. */
  readonly code: string;
  readonly severity: Severity;
  /** One or two sentences in the user's terms; the last says what to do. */
  readonly message: string;
  readonly range: SourceRange;
  readonly related?: readonly RelatedPlace[];
  /** Replacement texts for `range`, the most likely first. */
  readonly suggestions?: readonly string[];
  /** Keys that the group at `range` must have and has not, or has without a value. */
  readonly missing?: readonly string[];
  /** Sorts of values, as JSON Schema names them, of which the one at `range` is none. */
  readonly expected?: readonly string[];
  /** Set when the suggestions are written as they are, because `range` is only a part of a YAML scalar. */
  readonly isVerbatim?: boolean;
}
