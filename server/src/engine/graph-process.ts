// The graph query process of the language server: counting millions of events and laying out maps must not block
// editing.
import { join } from 'node:path';
import type { ExportedGraph } from '../../../protocol/event-graph.ts';
import type { Outcome } from '../../../protocol/query-results.ts';
import { createElkThread } from './elk-thread-client.ts';
import { drawChangedMap } from '../operations/stored-graphs/draw-changed-map.ts';
import { diffStores, diffedRows } from '../operations/stored-graphs/diff-graph.ts';
import { askGraph, createGraphCache } from '../operations/stored-graphs/event-graph.ts';
import { toOutcome } from '../operations/operation-error.ts';
import { type GraphExport, type GraphMethods, graphShapes } from './graph-methods.ts';
import { serveParent } from './rpc/parent-process.ts';

/** Rows of each number that the page *Changes* names. */
const listedRows = 10;

const graphs = createGraphCache();
const layOut = createElkThread(join(__dirname, 'elk-thread.js'));

serveParent<GraphMethods>({
  shapes: graphShapes,
  answers: {
    ask: ({ store, question, params }, { signal }) =>
      askGraph({ graphs, layOut }, store, question, params as never, signal),
    export: (work, { signal }) => writeFiles(work, signal),
    changedMap: (params, { signal }) => toOutcome(() => drawChangedMap(params, { graphs, layOut }, signal), signal),
    diff: ({ stores, file }, { signal }) => toOutcome(() => diffStores(stores, file, signal, listedRows), signal),
    changedRows: ({ stores, file, of }, { signal }) => toOutcome(() => diffedRows(stores, file, of, signal), signal),
  },
});

/** Exporters are loaded on first use. */
async function writeFiles(
  { store, file, form, output, guardFormulas, entityType }: GraphExport,
  signal: AbortSignal,
): Promise<Outcome<ExportedGraph>> {
  const { exportStore } = await import('../operations/stored-graphs/export-graph.ts');
  const options = { format: form, output, guardFormulas, entityType, signal };
  return toOutcome(() => exportStore(store, file, options), signal);
}
