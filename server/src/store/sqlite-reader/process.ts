// The process that reads an SQLite file. SQLite blocks its thread while it runs, so it has a separate one; the main thread
// forwards messages. The parent cancels a read by ending the process.
import { type MessagePort, Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { createBacklog } from './backlog.ts';
import type { ReaderAnswer, ReaderRequest } from './reader-messages.ts';

/** Time for the thread to close the file after the parent has disconnected. */
const closingMs = 2_000;

if (isMainThread) passOn();
else void answer(parentPort as MessagePort);

async function answer(port: MessagePort): Promise<void> {
  const { answerRequests } = await import('./reader-thread.ts');
  answerRequests(port, createBacklog(workerData as SharedArrayBuffer));
}

function passOn(): void {
  const backlog = createBacklog();
  const thread = new Worker(__filename, { workerData: backlog.buffer });
  const send = (answered: ReaderAnswer): void => {
    if (process.connected) process.send?.(answered, () => undefined);
  };
  thread.on('message', send);
  thread.on('error', () => process.exit(1));
  thread.on('exit', () => process.exit());
  process.on('message', (message) => {
    const request = message as ReaderRequest;
    if (request.method !== 'taken') return thread.postMessage(request);
    backlog.remove();
    send({ id: request.id, result: null });
  });
  process.on('disconnect', () => {
    backlog.close();
    thread.postMessage('close');
    setTimeout(() => process.exit(), closingMs);
  });
}
