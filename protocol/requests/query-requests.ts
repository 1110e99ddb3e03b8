import type { CanvasIntent } from '../canvas-intents.ts';
import type {
  JoinCounts,
  JoinPreview,
  Outcome,
  QueryTarget,
  ShowQueryResult,
  TestQueryResult,
  TextRange,
} from '../query-results.ts';
import type { Reported } from './reported.ts';

/** Requests about the queries of elements and relationships. */
export interface QueryRequests {
  /** Elements and relationships of a file, for pickers. */
  'entityGraph/queryTargets': { params: { uri: string }; result: readonly QueryTargetView[] };
  /** With a draft, the query after applying the intent. */
  'entityGraph/showQuery': {
    params: { uri: string; target: QueryTarget; draft?: CanvasIntent } & Reported;
    result: Outcome<ShowQueryResult>;
  };
  /** Cancelled with `$/cancelRequest`, which also cancels the statement on the source's server. */
  'entityGraph/testQuery': {
    params: { uri: string; target: QueryTarget; limit?: number; draft?: CanvasIntent } & Reported;
    result: Outcome<TestQueryResult>;
  };
  /** The first rows that a relationship joins. Cancelled with `$/cancelRequest`. */
  'entityGraph/previewJoin': {
    params: { uri: string; name: string; limit?: number; draft?: CanvasIntent } & Reported;
    result: Outcome<JoinPreview>;
  };
  /** How the rows of its ends match; null where they are not counted. Cancelled with `$/cancelRequest`. */
  'entityGraph/countJoin': {
    params: { uri: string; name: string; draft?: CanvasIntent } & Reported;
    result: Outcome<JoinCounts | null>;
  };
}

export interface QueryTargetView {
  readonly target: QueryTarget;
  readonly label: string;
  readonly description: string;
  readonly range: TextRange;
}
