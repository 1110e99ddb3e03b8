import type { EventGraphQuestion, QuestionAnswer, QuestionParams } from '../../../protocol/event-graph.ts';
import type { Failure, Outcome } from '../../../protocol/query-results.ts';
import { NotThere, type OpenGraph, answers } from '../event-graph/answer-question.ts';
import type { LayOut } from '../event-graph/layout-map.ts';
import { DuckDbError, type StoreReader, openStore } from '../store/duckdb-store.ts';
import { lockDatabase } from '../store/sandbox.ts';
import { toFailure } from './operation-error.ts';

/** Opened graphs; the one that was asked for longest ago is closed first. */
export interface GraphCache {
  open(path: string): Promise<OpenGraph>;
  close(): Promise<void>;
}

/** A graph that nobody asks about is closed, so that its file can be removed. */
const idleMs = 30_000;
const mostGraphs = 2;
const memoryLimit = '1500MB';

interface CachedGraph extends OpenGraph {
  close(): Promise<void>;
}

export function createGraphCache(): GraphCache {
  const graphs = new Map<string, Promise<CachedGraph>>();
  let idle: NodeJS.Timeout | undefined;

  async function forget(path: string): Promise<void> {
    const graph = graphs.get(path);
    graphs.delete(path);
    await graph?.then((each) => each.close()).catch(() => undefined);
  }

  return {
    async open(path) {
      clearTimeout(idle);
      idle = setTimeout(() => void Promise.all([...graphs.keys()].map(forget)), idleMs).unref();
      const known = graphs.get(path) ?? openGraph(path);
      // The newest stands last.
      graphs.delete(path);
      graphs.set(path, known);
      known.catch(() => graphs.delete(path));
      const [oldest] = graphs.keys();
      if (graphs.size > mostGraphs && oldest !== undefined) void forget(oldest);
      return known;
    },
    async close() {
      clearTimeout(idle);
      await Promise.all([...graphs.keys()].map(forget));
    },
  };
}

async function openGraph(path: string): Promise<CachedGraph> {
  const store = await openStore(path, { memoryLimit });
  let confined: Promise<StoreReader> | undefined;
  return {
    path,
    store,
    maps: new Map(),
    confined: () =>
      (confined ??= openStore(path, { memoryLimit }).then(async (reader) => {
        await lockDatabase(reader, { files: [], folders: [] });
        return reader;
      })),
    async close() {
      await store.close();
      await confined?.then((reader) => reader.close());
    },
  };
}

/** Answers a question about the graph in a store; whatever goes wrong is a failure in words. */
export async function askGraph<Q extends EventGraphQuestion>(
  { graphs, layOut }: { readonly graphs: GraphCache; readonly layOut: LayOut },
  store: string,
  question: Q,
  params: QuestionParams<Q>,
  signal: AbortSignal,
): Promise<Outcome<QuestionAnswer<Q>>> {
  try {
    const graph = await graphs.open(store);
    return { ok: true, value: await answers[question](params, graph, { signal }, layOut) };
  } catch (error) {
    return { ok: false, error: failureOf(error, signal) };
  }
}

function failureOf(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) return { code: 'cancelled', message: 'Cancelled.' };
  if (error instanceof NotThere) return { code: 'not-in-graph', message: error.message };
  if (!(error instanceof DuckDbError)) return toFailure(error, signal);
  const { kind, message } = error.failure;
  const missing = kind === 'file-missing' || kind === 'not-a-database';
  return {
    code: missing ? 'store-unreadable' : 'sql-error',
    message,
    ...(missing ? { remedy: 'Import the entity graph again.' } : {}),
  };
}
