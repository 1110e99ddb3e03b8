import type { EventGraphQuestion, ExportForm } from '../../../protocol/event-graph.ts';
import type { Failure } from '../../../protocol/query-results.ts';
import type { StoredGraphs } from '../operations/stored-graph.ts';
import type { GraphFile } from '../project/open-project.ts';

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
  | {
      readonly kind: 'export';
      readonly id: number;
      /** Absolute path. */
      readonly store: string;
      readonly file: GraphFile;
      readonly form: ExportForm;
      /** Absolute path of a file or a folder, as the form needs. */
      readonly output: string;
      readonly guardFormulas: boolean;
    }
  | { readonly kind: 'diff'; readonly id: number; readonly stores: StoredGraphs; readonly file: GraphFile }
  | { readonly kind: 'cancel'; readonly id: number };

/** From it. */
export type FromGraphProcess =
  { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly failure: Failure };
