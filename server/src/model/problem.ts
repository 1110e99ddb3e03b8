import type { TextRange } from '../../../protocol/query-results.ts';
import type { CodeWith, Severity } from './rules.ts';
import type { SourceRange } from './source-range.ts';

export type { Severity } from './rules.ts';

/** A related location of a problem. */
export interface RelatedPlace {
  readonly message: string;
  readonly range: SourceRange;
}

/** A place in another file. */
export interface FilePlace {
  /** Absolute path. */
  readonly file: string;
  readonly range: TextRange;
}

/** A problem as data: the mistake, its place, and how to fix it. Its rule must allow the severity. */
export type Problem = ProblemFacts &
  { [S in Severity]: { readonly code: CodeWith<S>; readonly severity: S } }[Severity];

interface ProblemFacts {
  /** One or two sentences for the user; the last one is the remedy. */
  readonly message: string;
  readonly range: SourceRange;
  readonly related?: readonly RelatedPlace[];
  /** A related location in another file. */
  readonly elsewhere?: FilePlace & { readonly message: string };
  /** Replacement texts for `range`, the most likely first. */
  readonly suggestions?: readonly string[];
  /** Keys that the object at `range` lacks, or has without a value. */
  readonly missing?: readonly string[];
  /** Expected types, as named in JSON Schema, of the value at `range`. */
  readonly expected?: readonly string[];
  /** Set if suggestions are inserted verbatim, because `range` is only a part of a scalar. */
  readonly isVerbatim?: boolean;
}
