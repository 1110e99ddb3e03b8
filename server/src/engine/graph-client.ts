import type { ChangedMap, ExportedGraph } from '../../../protocol/event-graph.ts';
import type {
  EventGraphQuestion,
  QuestionAnswer,
  QuestionParams,
} from '../../../protocol/requests/event-graph-requests.ts';
import type { GraphDiff } from '../../../protocol/graph-diff.ts';
import type { Failure, Outcome, TestQueryResult } from '../../../protocol/query-results.ts';
import type { StoredGraphs } from '../operations/stored-graphs/stored-graph.ts';
import type { GraphFile } from '../project/open-project.ts';
import type { GraphExport, GraphMethods } from './graph-methods.ts';
import { ProcessEnded, createOnDemandProcess } from './rpc/child-process.ts';

/** Runs queries on imported graphs in a separate process, started on demand and ended when idle. */
export interface GraphClient {
  /** Never rejects. */
  ask<Q extends EventGraphQuestion>(
    store: string,
    question: Q,
    params: QuestionParams<Q>,
    signal: AbortSignal,
  ): Promise<Outcome<QuestionAnswer<Q>>>;
  /** Exports a graph; resolves to the written paths. Never rejects. */
  export(work: GraphExport, signal: AbortSignal): Promise<Outcome<ExportedGraph>>;
  /** The process map of a type in the last two imports. Never rejects. */
  changedMap(params: GraphMethods['changedMap']['params'], signal: AbortSignal): Promise<Outcome<ChangedMap>>;
  /** Compares the last graph with the previous one. Never rejects. */
  diff(stores: StoredGraphs, file: GraphFile, signal: AbortSignal): Promise<Outcome<GraphDiff>>;
  /** The rows behind a number of that comparison. Never rejects. */
  changedRows(params: GraphMethods['changedRows']['params'], signal: AbortSignal): Promise<Outcome<TestQueryResult>>;
}

/** Idle timeout, and lifetime of counted maps. */
const idleMs = 300_000;

const ended: Failure = {
  code: 'engine-ended',
  message: 'The process that reads graphs has ended.',
  remedy: 'Try again; if it ends again, the graph may need more memory than is available.',
};

/** @param programPath the bundle of `graph-process.ts`. */
export function createGraphClient(programPath: string): GraphClient {
  const graphs = createOnDemandProcess<GraphMethods>({ path: programPath }, idleMs);
  return {
    // The process's result type matches its question.
    ask: async (store, question, params, signal) =>
      (await graphs.request('ask', { store, question, params }, { signal }).catch(failed)) as Outcome<
        QuestionAnswer<typeof question>
      >,
    export: (work, signal) => graphs.request('export', work, { signal }).catch(failed),
    changedMap: (params, signal) => graphs.request('changedMap', params, { signal }).catch(failed),
    changedRows: (params, signal) => graphs.request('changedRows', params, { signal }).catch(failed),
    diff: (stores, file, signal) => graphs.request('diff', { stores, file }, { signal }).catch(failed),
  };
}

function failed(error: unknown): { readonly ok: false; readonly error: Failure } {
  if (error instanceof ProcessEnded) return { ok: false, error: ended };
  return {
    ok: false,
    error: { code: 'internal-error', message: error instanceof Error ? error.message : String(error) },
  };
}
