// The program that looks at imported graphs for the language server: counting millions of events, and laying maps out, must not hold editing up.
import { join } from 'node:path';
import type { Outcome } from '../../../protocol/query-results.ts';
import { createElkThread } from './elk-thread-client.ts';
import { diffStores } from '../operations/diff-graph.ts';
import { askGraph, createGraphCache } from '../operations/event-graph.ts';
import { toOutcome } from '../operations/operation-error.ts';
import type { FromGraphProcess, ToGraphProcess } from './graph-messages.ts';
import { toGraphProcess } from './message-shapes.ts';
import { takeMessages } from './told-messages.ts';

const graphs = createGraphCache();
const layOut = createElkThread(join(__dirname, 'elk-thread.js'));
const running = new Map<number, AbortController>();

takeMessages(toGraphProcess, take, (message, id) => {
  if (id !== undefined) send({ id, failure: { code: 'internal-error', message } });
});
process.on('disconnect', () => process.exit());

function take(message: ToGraphProcess): void {
  if (message.kind === 'cancel') running.get(message.id)?.abort(new Error('Cancelled.'));
  else void answer(message);
}

type Task = Exclude<ToGraphProcess, { kind: 'cancel' }>;

async function answer(task: Task): Promise<void> {
  const { id } = task;
  const abort = new AbortController();
  running.set(id, abort);
  const outcome = await outcomeOf(task, abort.signal);
  running.delete(id);
  send(outcome.ok ? { id, answer: outcome.value } : { id, failure: outcome.error });
}

function outcomeOf(task: Task, signal: AbortSignal): Promise<Outcome<unknown>> {
  if (task.kind === 'export') return writeFiles(task, signal);
  if (task.kind === 'diff') return toOutcome(() => diffStores(task.stores, task.file, signal), signal);
  return askGraph({ graphs, layOut }, task.store, task.question, task.params as never, signal);
}

/** Exports are loaded when the first one is asked for. */
async function writeFiles(
  { store, file, form, output, guardFormulas }: Extract<ToGraphProcess, { kind: 'export' }>,
  signal: AbortSignal,
): Promise<Outcome<readonly string[]>> {
  const { exportStore } = await import('../operations/export-graph.ts');
  return toOutcome(() => exportStore(store, file, { format: form, output, guardFormulas, signal }), signal);
}

function send(message: FromGraphProcess): void {
  if (process.connected) process.send?.(message);
}
