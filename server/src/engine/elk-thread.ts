// The thread that lays graphs out: a map of many paths takes seconds, and ends with its thread when nobody waits for it any more.
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { ElkNode } from 'elkjs/lib/elk-api.js';
import { createElkLayout } from '../event-graph/elk-layout.ts';

const layOut = createElkLayout(join(__dirname, 'elk-worker.min.js'));

parentPort?.on('message', (graph: ElkNode | 'prepare') => {
  if (graph === 'prepare') void layOut.prepare?.();
  else void answer(graph);
});

async function answer(graph: ElkNode): Promise<void> {
  try {
    parentPort?.postMessage({ placed: await layOut(graph) });
  } catch (error) {
    parentPort?.postMessage({ failure: error instanceof Error ? error.message : String(error) });
  }
}
