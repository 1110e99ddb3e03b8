import { join } from 'node:path';
import { isSourceError } from '../server/src/connectors/source-error.ts';
import { noSecrets } from '../test/support/no-secrets.ts';
import { duckdbBuild } from '../server/src/import/build/build-dialect.ts';
import { anyOrderSql, attachRowsSql, quickTextsSql, useRowsSql } from '../server/src/import/build/staging-steps.ts';
import type { ImportWithoutFiles } from '../server/src/import/import-job.ts';
import { closePulls, openPulls } from '../server/src/import/open-pulls.ts';
import { type StagedEnd, joinEnds, joinEndsStep } from '../server/src/import/join-ends.ts';
import { planImport } from '../server/src/import/plan-import.ts';
import { importMemoryLimits } from '../server/src/import/memory-limit.ts';
import { openSources } from '../server/src/operations/imports/open-sources.ts';
import { openProject, readGraphFile } from '../server/src/project/open-project.ts';
import { createBuildDatabase } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import { type CrossSourceMeasurement, type CrossSourceOrder, joinByHand } from './cross-source-order.ts';
import { answerOrder, peakMegabytes } from './in-process.ts';

/** Stages both ends as an import does, then measures the join alone; the first one, which is slower, warms up. */
answerOrder(async ({ rounds, folder, relationship, memory }: CrossSourceOrder): Promise<CrossSourceMeasurement> => {
  const context = { ...noSecrets, workspaceFolderOf: () => folder };
  const project = await openProject(await readGraphFile(join(folder, 'graph.entity.yaml'), context), context);
  const { signal } = new AbortController();
  const options = { signal, onProgress: () => undefined, mayReuse: false, usesKeptRows: false };
  const { sources, catalog, close } = await openSources(project, context, options, () => Promise.resolve());
  const temporaryFolder = await folderWith({});
  const database = await createBuildDatabase({
    ...{ path: ':memory:', temporaryFolder },
    memoryLimits: memory === undefined ? importMemoryLimits() : [`${memory}MB`],
  });
  try {
    // The settings of an import.
    const rows = attachRowsSql(join(temporaryFolder, 'rows.duckdb'));
    for (const sql of [rows, useRowsSql, quickTextsSql, anyOrderSql]) await database.run(sql);
    const planned = planImport(project.parsed.graph, catalog);
    if ('problems' in planned) throw new Error(JSON.stringify(planned.problems));
    const plan = planned.plan.relationships.find(({ name }) => name === relationship);
    if (!plan) throw new Error(`There is no relationship ${relationship}.`);
    const job = { sources, plan: planned.plan, signal, request: {}, progress: { report: () => undefined } };
    const opened = await openPulls(database, job as unknown as ImportWithoutFiles);
    const ends: StagedEnd[] = [];
    for (const end of plan.query.ends ?? []) {
      const pull = opened.find((each) => each.source.name === end.dataSource)?.pull;
      if (!pull || isSourceError(pull)) throw new Error(`${end.dataSource} cannot be read.`);
      ends.push({ end, loaded: await pull.load(end.query, end.table, { signal }) });
    }
    await closePulls(opened);
    const [source, target] = ends.map(({ end, loaded }) => ({
      table: end.table,
      column: (name: string) => loaded.columns.find((column) => column.name === name)?.stagedAs ?? name,
    }));
    if (!source || !target) throw new Error('The relationship has no two ends.');
    const step = joinEndsStep(plan, ends, { dialect: duckdbBuild, timeZone: 'UTC' });
    for (const { sql } of step.statements.slice(0, -1)) await database.run(sql);
    const joining = { ...step, statements: step.statements.slice(-1) };
    const pairs = new Set<number>();
    const timed = async (join: () => Promise<unknown>, table: string): Promise<number> => {
      const started = performance.now();
      await join();
      const seconds = (performance.now() - started) / 1000;
      const [row] = await database.query(`SELECT count(*) AS pairs FROM "${table}"`);
      pairs.add(Number(row?.['pairs']));
      await database.run(`DROP TABLE "${table}"`);
      return seconds;
    };
    const joined = () => joinEnds(database, plan, joining, signal);
    const handmade = () => database.run(joinByHand(relationship, { source, target }));
    const [joins, byHand]: [number[], number[]] = [[await timed(joined, plan.table)], []];
    if (rounds > 0) joins.pop();
    // Alternating, so that slow moments of the machine affect both.
    for (let round = 0; round < rounds; round += 1) {
      byHand.push(await timed(handmade, 'by_hand'));
      joins.push(await timed(joined, plan.table));
    }
    return { joins, byHand, megabytes: peakMegabytes(), pairs: [...pairs] };
  } finally {
    await database.close();
    await close();
    await removeFolder(temporaryFolder);
  }
});
