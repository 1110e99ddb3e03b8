import { join } from 'node:path';
import { previousGraphName } from '../server/src/import/previous-graph/previous-graph-step.ts';
import { importGraph } from '../server/src/operations/imports/import-graph.ts';
import { readGraphFile } from '../server/src/project/open-project.ts';
import { noSecrets } from '../test/support/no-secrets.ts';
import { permitAllUses } from '../server/src/connectors/permit-use.ts';
import type { IncrementalMeasurement, IncrementalOrder } from './incremental-import-order.ts';
import { answerOrder } from './in-process.ts';

/** Steps of an import before its graph is built. */
const readingSteps = new Set(['kept', 'unchanged', 'element_1']);

answerOrder(async ({ folder, isFull }: IncrementalOrder): Promise<IncrementalMeasurement> => {
  const projectContext = { ...noSecrets, permitUses: permitAllUses, workspaceFolderOf: () => folder };
  const [started, before] = [performance.now(), process.cpuUsage()];
  const file = await readGraphFile(join(folder, 'ticket.entity.yaml'), projectContext);
  const { signal } = new AbortController();
  const request = isFull ? ({ kind: 'build', isFull } as const) : undefined;
  const options = { onProgress: () => undefined, signal, ...(request && { request }) };
  const summary = await importGraph(file, projectContext, options);
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - started) / 1000;
  if (summary.status !== 'imported') throw new Error(summary.error.message);
  const reading = summary.steps.filter(({ name }) => readingSteps.has(name));
  return {
    seconds,
    processorSeconds: (user + system) / 1e6,
    readingSeconds: reading.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000,
    isGraphReused: summary.steps.some(({ name, isReused }) => name === previousGraphName && isReused === true),
    keptRows: summary.steps.reduce((sum, { keptRows = 0 }) => sum + keptRows, 0),
    totals: summary.totals,
  };
});
