// The program that looks at imported graphs for the language server: counting millions of events, and laying maps out, must not hold editing up.
import { join } from 'node:path';
import type { Outcome } from '../../../protocol/query-results.ts';
import { createElkLayout } from '../event-graph/elk-layout.ts';
import { askGraph, createGraphCache } from '../operations/event-graph.ts';
import { toOutcome } from '../operations/operation-error.ts';
import type { FromGraphProcess, ToGraphProcess } from './graph-messages.ts';

const graphs = createGraphCache();
const layOut = createElkLayout(join(__dirname, 'elk-worker.min.js'));
const running = new Map<number, AbortController>();

process.on('message', (message: ToGraphProcess) => {
  if (message.kind === 'cancel') running.get(message.id)?.abort(new Error('Cancelled.'));
  else void answer(message);
});
process.on('disconnect', () => process.exit());

async function answer(message: Exclude<ToGraphProcess, { kind: 'cancel' }>): Promise<void> {
  const { id, store } = message;
  const abort = new AbortController();
  running.set(id, abort);
  const outcome =
    message.kind === 'export'
      ? await writeFiles(message, abort.signal)
      : await askGraph({ graphs, layOut }, store, message.question, message.params as never, abort.signal);
  running.delete(id);
  send(outcome.ok ? { id, answer: outcome.value } : { id, failure: outcome.error });
}

/** Exports are loaded when the first one is asked for. */
async function writeFiles(
  { store, file, form, output }: Extract<ToGraphProcess, { kind: 'export' }>,
  signal: AbortSignal,
): Promise<Outcome<readonly string[]>> {
  const { exportStore } = await import('../operations/export-graph.ts');
  return toOutcome(() => exportStore(store, file, { format: form, output, signal }), signal);
}

function send(message: FromGraphProcess): void {
  if (process.connected) process.send?.(message);
}
