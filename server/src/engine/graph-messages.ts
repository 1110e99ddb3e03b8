import type { EventGraphQuestion } from '../../../protocol/event-graph.ts';
import type { Failure } from '../../../protocol/query-results.ts';

/** To the process that looks at graphs. */
export type ToGraphProcess =
  | {
      readonly kind: 'ask';
      readonly id: number;
      /** Absolute path. */
      readonly store: string;
      readonly question: EventGraphQuestion;
      readonly params: unknown;
    }
  | { readonly kind: 'cancel'; readonly id: number };

/** From it. */
export type FromGraphProcess =
  { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly failure: Failure };
