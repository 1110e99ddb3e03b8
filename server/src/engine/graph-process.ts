// The program that looks at imported graphs for the language server: counting millions of events, and laying maps out, must not hold editing up.
import { join } from 'node:path';
import { createElkLayout } from '../event-graph/elk-layout.ts';
import { askGraph, createGraphCache } from '../operations/event-graph.ts';
import type { FromGraphProcess, ToGraphProcess } from './graph-messages.ts';

const graphs = createGraphCache();
const layOut = createElkLayout(join(__dirname, 'elk-worker.min.js'));
const running = new Map<number, AbortController>();

process.on('message', (message: ToGraphProcess) => {
  if (message.kind === 'cancel') running.get(message.id)?.abort(new Error('Cancelled.'));
  else void answer(message);
});
process.on('disconnect', () => process.exit());

async function answer({ id, store, question, params }: Extract<ToGraphProcess, { kind: 'ask' }>): Promise<void> {
  const abort = new AbortController();
  running.set(id, abort);
  const outcome = await askGraph({ graphs, layOut }, store, question, params as never, abort.signal);
  running.delete(id);
  send(outcome.ok ? { id, answer: outcome.value } : { id, failure: outcome.error });
}

function send(message: FromGraphProcess): void {
  if (process.connected) process.send?.(message);
}
