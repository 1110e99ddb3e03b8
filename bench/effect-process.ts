import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { graphEffect } from '../server/src/operations/effect/graph-effect.ts';
import { importGraph } from '../server/src/operations/imports/import-graph.ts';
import { readGraphFile } from '../server/src/project/open-project.ts';
import { noSecrets } from '../test/support/no-secrets.ts';
import { type EffectMeasurement, type EffectOrder, baseText, editedText } from './effect-order.ts';
import { forgetImports } from './forget-imports.ts';
import { answerOrder } from './in-process.ts';

answerOrder(async ({ work, folder }: EffectOrder): Promise<EffectMeasurement> => {
  const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
  const path = join(folder, 'ticket.entity.yaml');
  const { signal } = new AbortController();
  const seconds = (since: number): number => (performance.now() - since) / 1000;
  if (work === 'import') {
    await writeFile(path, baseText);
    await forgetImports(folder);
    const started = performance.now();
    const file = await readGraphFile(path, projectContext);
    const summary = await importGraph(file, projectContext, { onProgress: () => undefined, signal });
    if (summary.status !== 'imported') throw new Error(summary.error.message);
    return { seconds: seconds(started), events: summary.totals.events, gone: 0 };
  }
  await writeFile(path, editedText);
  const started = performance.now();
  const { changes } = await graphEffect(await readGraphFile(path, projectContext), projectContext, {
    base: 'last',
    isOffline: false,
    conditions: [],
    attributes: false,
    signal,
    onProgress: () => undefined,
  });
  const { before, gone = 0 } = changes?.totals.events ?? { before: 0 };
  return { seconds: seconds(started), events: before, gone };
});
