import type {
  JoinCounts,
  JoinPreview,
  QueryTarget,
  ShowQueryResult,
  TestQueryResult,
  TextRange,
} from '../query-results.ts';
import { canvasIntent } from '../shapes/canvas-shapes.ts';
import { queryTarget } from '../shapes/query-shapes.ts';
import { reported, request } from '../shapes/request-shape.ts';
import { count, optional, text } from '../shapes/shape.ts';

/** With a draft, the query after applying the intent. */
const draft = optional(canvasIntent);
const limit = optional(count);

/** Requests about the queries of elements and relationships. All are cancelled with `$/cancelRequest`. */
export const queryRequests = {
  /** Elements and relationships of a file, for pickers. */
  queryTargets: request({}).gives<readonly QueryTargetView[]>(),
  showQuery: reported({ target: queryTarget, draft }).outcome<ShowQueryResult>(),
  /** Cancelling also cancels the statement on the source's server. */
  testQuery: reported({ target: queryTarget, limit, draft }).outcome<TestQueryResult>(),
  /** The first rows that a relationship joins. */
  previewJoin: reported({ name: text, limit, draft }).outcome<JoinPreview>(),
  /** How the rows of its ends match; null where they are not counted. */
  countJoin: reported({ name: text, draft }).outcome<JoinCounts | null>(),
};

export interface QueryTargetView {
  readonly target: QueryTarget;
  readonly label: string;
  readonly description: string;
  readonly range: TextRange;
}
