import { type Debouncer, createDebouncer } from '../../../../protocol/debouncer.ts';
import type {
  EventGraphQuestion,
  QuestionAnswer,
  QuestionParams,
} from '../../../../protocol/requests/event-graph-requests.ts';
import type { GraphFilter } from '../../../../protocol/event-graph.ts';
import type { Failure, Outcome } from '../../../../protocol/query-results.ts';
import { failingCondition } from '../../analysis/failing-condition.ts';
import { createSelections } from '../../analysis/selections.ts';
import { QuestionError } from '../../analysis/question-error.ts';
import { NotThere, type OpenGraph, answers } from '../../event-graph/answer-question.ts';
import type { LayOut } from '../../event-graph/layout-map.ts';
import { isDuckDbError } from '../../store/duckdb-store.ts';
import { lockDatabase } from '../../store/sandbox.ts';
import {
  type ConfinedGraphStore,
  graphMemoryLimit,
  openCodedGraphStore,
  openConfinedGraphStore,
} from './open-graph-store.ts';
import { storedFindings } from './kept-findings.ts';
import { toFailure } from '../operation-error.ts';

/** Cache of opened graphs. Graphs in use stay open; of the others the least recently used is closed first. */
export interface GraphCache {
  use<T>(path: string, ask: (graph: OpenGraph) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Idle graphs are closed, so that their files can be deleted. */
const idleMs = 30_000;
const maxGraphs = 2;

interface ClosableGraph extends OpenGraph {
  close(): Promise<void>;
}

interface CachedGraph {
  readonly opened: Promise<ClosableGraph>;
  /** Number of pending queries. */
  asked: number;
  /** Closes it when it is no longer used. */
  readonly closing: Debouncer;
}

/** @param idleAfterMs idle timeout. */
export function createGraphCache(idleAfterMs = idleMs): GraphCache {
  const graphs = new Map<string, CachedGraph>();

  async function forget(path: string): Promise<void> {
    const graph = graphs.get(path);
    graphs.delete(path);
    graph?.closing.cancel();
    await graph?.opened.then((each) => each.close()).catch(() => undefined);
  }

  function take(path: string): CachedGraph {
    const graph = graphs.get(path) ?? {
      opened: openGraph(path),
      asked: 0,
      closing: createDebouncer(idleAfterMs, () => void forget(path)),
    };
    graph.closing.cancel();
    graph.asked += 1;
    // The most recently used is last.
    graphs.delete(path);
    graphs.set(path, graph);
    return graph;
  }

  function giveBack(path: string, graph: CachedGraph): void {
    graph.asked -= 1;
    if (graph.asked > 0 || graphs.get(path) !== graph) return;
    graph.closing.schedule();
    const resting = [...graphs].filter(([, { asked }]) => asked === 0).map(([each]) => each);
    for (const each of resting.slice(0, Math.max(0, graphs.size - maxGraphs))) void forget(each);
  }

  return {
    async use(path, ask) {
      const graph = take(path);
      graph.opened.catch(() => graphs.delete(path));
      try {
        return await ask(await graph.opened);
      } finally {
        giveBack(path, graph);
      }
    },
    async close() {
      await Promise.all([...graphs.keys()].map(forget));
    },
  };
}

async function openGraph(path: string): Promise<ClosableGraph> {
  const store = await openCodedGraphStore(path, { memoryLimit: graphMemoryLimit });
  // Filters have SQL of users, also those that others have saved.
  await lockDatabase(store, { files: [], folders: [] });
  let confined: Promise<ConfinedGraphStore> | undefined;
  return {
    path,
    store,
    maps: new Map(),
    selections: createSelections(store),
    filling: {},
    findings: (options) => storedFindings(store, path, options),
    async confined() {
      confined ??= openConfinedGraphStore(path, { memoryLimit: graphMemoryLimit });
      // Once the file can be read again, the next run must not get the old error.
      confined.catch(() => (confined = undefined));
      return (await confined).connect();
    },
    async close() {
      await store.close();
      await confined?.then((each) => each.close());
    },
  };
}

/** Runs a query on the graph in a store; failures are results. */
export async function askGraph<Q extends EventGraphQuestion>(
  { graphs, layOut }: { readonly graphs: GraphCache; readonly layOut: LayOut },
  store: string,
  question: Q,
  params: QuestionParams<Q>,
  signal: AbortSignal,
): Promise<Outcome<QuestionAnswer<Q>>> {
  try {
    const value = await graphs.use(store, async (graph) => {
      try {
        return await answers[question](params, graph, { signal }, layOut);
      } catch (error) {
        throw await namedFailure(error, params, graph, signal);
      }
    });
    return { ok: true, value };
  } catch (error) {
    return { ok: false, error: failureOf(error, signal) };
  }
}

/** The error with the condition that it comes from: values decide whether a comparison fails. */
async function namedFailure(
  error: unknown,
  params: unknown,
  { store }: OpenGraph,
  signal: AbortSignal,
): Promise<unknown> {
  if (!isDuckDbError(error) || signal.aborted) return error;
  for (const filter of filtersIn(params)) {
    const condition = await failingCondition(store, filter, { signal }).catch(() => undefined);
    if (condition !== undefined) return new QuestionError(`${condition}: ${error.failure.message}`, changeCondition);
  }
  return error;
}

const changeCondition = 'Change the condition, or remove it.';

/** The filters of a question, which the protocol has checked. */
function filtersIn(params: unknown): readonly GraphFilter[] {
  const { filter, outcome, compare } = params as {
    readonly filter?: GraphFilter;
    readonly outcome?: GraphFilter;
    readonly compare?: GraphFilter & { readonly filter?: GraphFilter };
  };
  return [filter, outcome, compare?.filter ?? compare].filter((each) => each !== undefined);
}

function failureOf(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) return { code: 'cancelled', message: 'Cancelled.' };
  if (error instanceof NotThere) return { code: 'not-in-graph', message: error.message };
  if (!isDuckDbError(error)) return toFailure(error, signal);
  return { code: 'sql-error', message: error.failure.message };
}
