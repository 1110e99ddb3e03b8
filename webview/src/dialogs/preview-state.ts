import type { Failure, JoinCounts, JoinPreview, TestQueryResult } from '../../../protocol/query-results.ts';

/** Content of the preview of a dialog. */
export type PreviewState =
  | { readonly kind: 'none' }
  /** Since a moment of `performance.now()`; `step` is the current step. */
  | { readonly kind: 'running'; readonly since: number; readonly step?: string }
  | {
      readonly kind: 'result';
      readonly result: TestQueryResult;
      /** The end of each column, in the preview of a relationship. */
      readonly sides?: JoinPreview['sides'];
      readonly counts?: CountedJoin | undefined;
    }
  | { readonly kind: 'failure'; readonly error: Failure };

/** How the rows of a relationship match, as far as they were counted. */
export type CountedJoin =
  | { readonly kind: 'counting'; readonly since: number }
  | { readonly kind: 'uncounted'; readonly reason: string }
  | { readonly kind: 'counted'; readonly value: JoinCounts };
