import type { CodeWith, Severity } from './rules.ts';
import type { SourceRange } from './source-range.ts';

export type { Severity } from './rules.ts';

/** Another place that a problem is about. */
export interface RelatedPlace {
  readonly message: string;
  readonly range: SourceRange;
}

/** A user's mistake as data: what is wrong, where, and how to mend it. Its rule must know its severity. */
export type Problem = ProblemFacts &
  { [S in Severity]: { readonly code: CodeWith<S>; readonly severity: S } }[Severity];

interface ProblemFacts {
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
