// The layout thread: a large map takes seconds, and cancelling it ends the thread.
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
