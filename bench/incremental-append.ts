import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { duckdbBuild } from '../server/src/import/build/build-dialect.ts';
import { entityEventSql } from '../server/src/import/build/entity-event.ts';
import { passingParts } from '../server/src/import/build/map-parts.ts';
import { createProcessMapPathSql, pathDurationsSql } from '../server/src/import/build/process-map-paths.ts';
import { createProcessMapSql, orderedMiddleStep, pathClassesSql } from '../server/src/import/build/process-map.ts';
import { checksStep, timeRangeStep } from '../server/src/import/checks.ts';
import { type BuildDatabase, createBuildDatabase, openScratch } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder, writeFiles } from '../test/support/temporary-folder.ts';
import { isQuick } from './bench-size.ts';
import type { BenchResult } from './bench-result.ts';
import { entityFile, ticketRows } from './csv-import-order.ts';
import { inProcess } from './in-process.ts';
import type { IncrementalMeasurement, IncrementalOrder } from './incremental-import-order.ts';
import { printResults } from './measure.ts';

const rows = isQuick ? 1_000_000 : 10_000_000;
const added = rows / 100;

/**
 * The least statements that append 1 % of new rows, without new entities, to a graph that is there, beside a full import
 * of all rows: a prototype by hand for one element, without starting a process, inspecting files and counting rows. Its
 * tables are compared with those of the full import.
 */
export async function run(): Promise<BenchResult[]> {
  const folder = await folderWith({ 'ticket.entity.yaml': entityFile });
  try {
    const importing = (): Promise<IncrementalMeasurement> =>
      inProcess('incremental-import-process.ts', { folder, isFull: true } satisfies IncrementalOrder);
    await writeFiles(folder, {
      'data/ticket-1.csv': '',
      'entity-sources.yaml':
        'version: 1\ndataSources:\n  files: { kind: csv, path: data/*.csv, parts: { ticket: ticket-*.csv } }\n',
    });
    const scratch = await openScratch();
    const write = (name: string, range: string): Promise<unknown> =>
      scratch.run(`COPY (SELECT * FROM (${ticketRows(rows + added)}) ${range}) TO '${join(folder, name)}'`);
    await write('data/ticket-1.csv', `LIMIT ${rows}`);
    await write('added.csv', `OFFSET ${rows}`);
    await scratch.close();
    await importing();
    const graphs = join(folder, '.entity-graph/graphs/ticket');
    const storeOf = (): string =>
      join(
        graphs,
        readdirSync(graphs)
          .filter((name) => name.endsWith('.duckdb'))
          .sort()
          .at(-1) ?? '',
      );
    const steps = await append(folder, storeOf(), join(graphs, 'rows.kept'));
    await rename(join(folder, 'added.csv'), join(folder, 'data/ticket-2.csv'));
    const full = await importing();
    await compare(folder, storeOf());
    for (const { name, seconds, processorSeconds } of steps) {
      console.log(`  ${name}: ${seconds.toFixed(2)} s, ${processorSeconds.toFixed(2)} s of processor time`);
    }
    const result = (name: string, of: (each: Measured) => number): BenchResult => {
      const [value, floor] = [steps.reduce((sum, each) => sum + of(each), 0), of(full)];
      return {
        ...{ name: `least statements of an append, ${rows / 1e6} M rows, 1 % new at the end${name}`, unit: 's' },
        ...{ value, floor, ratio: value / floor, goal: 'no goal', ok: true },
      };
    };
    return [result('', ({ seconds }) => seconds), result(': processor time', (each) => each.processorSeconds)];
  } finally {
    await removeFolder(folder);
  }
}

type Measured = Pick<IncrementalMeasurement, 'seconds' | 'processorSeconds'>;
type MeasuredStep = Measured & { readonly name: string };

const { graph, storage } = duckdbBuild;
const [event, properties] = [`${storage.tables}.coded_event`, `${storage.tables}.row_properties_1`];

async function append(folder: string, store: string, keptRows: string): Promise<readonly MeasuredStep[]> {
  const steps: MeasuredStep[] = [];
  const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const [started, before] = [performance.now(), process.cpuUsage()];
    await work();
    const { user, system } = process.cpuUsage(before);
    steps.push({ name, seconds: (performance.now() - started) / 1000, processorSeconds: (user + system) / 1e6 });
  };
  const [newStore, newRows] = [join(folder, 'appended.duckdb'), join(folder, 'rows.duckdb')];
  await step('copying the store', () => copyFile(store, newStore));
  await step('copying the kept rows', () => copyFile(keptRows, newRows));
  const limits: readonly [string, ...string[]] = ['400MB', '1GB', '4GB'];
  const database = await createBuildDatabase({ path: ':memory:', temporaryFolder: folder, memoryLimits: limits });
  const all = (statements: readonly string[]) => async (): Promise<void> => {
    for (const sql of statements) await database.run(sql);
  };
  await step('attaching both', all([`ATTACH '${newStore}' AS ${graph}`, `ATTACH '${newRows}' AS staged`]));
  await step('reading the new rows', all([await insertSql(database, join(folder, 'added.csv'))]));
  const [time] = await database.query(`SELECT min(c2)::VARCHAR AS first FROM staged.element_1 WHERE rowid >= ${rows}`);
  const first = `TIMESTAMP '${String(time?.['first'])}'`;
  await step('events from the first new one on, ranked anew', all(tailSql(first)));
  await step(
    'writing events',
    all([
      `DELETE FROM ${event} WHERE id >= getvariable('first_id')`,
      `INSERT INTO ${event} SELECT id, CAST('Update Ticket' AS ${storage.tables}.element), CAST(CASE WHEN change THEN 'change' ELSE 'start' END AS ${storage.tables}.lifecycle), time, entity_id FROM tail ORDER BY id`,
    ]),
  );
  await step('writing properties', all(propertiesSql));
  await step('writing directly-follows', all(followsSql));
  await step(
    'events in the order of their entities',
    all([
      "CREATE TEMP TABLE places AS SELECT * FROM (VALUES (0, 'Update Ticket', 'start'), (1, 'Update Ticket', 'change')) AS place(place, activity, lifecycle)",
      `CREATE TEMP TABLE ordered AS SELECT ${entityEventSql('entity_id', 'id')} AS entity_event, time, CAST(lifecycle = 'change' AS INTEGER) AS place FROM ${event} ORDER BY entity_event, time, place`,
    ]),
  );
  const dropMap = ['process_map', 'process_map_path', 'process_map_activity'].map(
    (name) => `DROP TABLE ${graph}.${name}`,
  );
  const [types, parts] = [['ticket'], passingParts];
  await step(
    'process map',
    all([
      ...dropMap,
      orderedMiddleStep.sql,
      `CREATE TEMP TABLE ${parts.classes} AS ${pathClassesSql(types, duckdbBuild)}`,
      createProcessMapSql(types, duckdbBuild, parts),
    ]),
  );
  await step(
    'exact medians of its paths',
    all([
      `CREATE TEMP TABLE ${parts.durations} AS ${pathDurationsSql(types, duckdbBuild, parts)}`,
      createProcessMapPathSql(types, duckdbBuild, parts),
    ]),
  );
  const checks = checksStep({ dialect: duckdbBuild, mayCorrelateTwice: false, mayLackEntity: false });
  await step('checks', async () => {
    for (const { sql } of [...checks.statements, ...timeRangeStep(duckdbBuild, new Date()).statements])
      await database.query(sql);
  });
  await step(
    'writing both files',
    all([`CHECKPOINT ${graph}`, `DETACH ${graph}`, 'SET max_vacuum_tasks = 0', 'CHECKPOINT staged']),
  );
  await database.close();
  return steps;
}

/** The columns of the file under the names of the staged ones. */
async function insertSql(database: BuildDatabase, file: string): Promise<string> {
  const [found] = await database.query('SELECT columns FROM staged.kept_rows');
  const columns = JSON.parse(String(found?.['columns'])) as { name: string; stagedAs: string; stagedType: string }[];
  const read = columns.map(({ name, stagedAs, stagedType }) => `CAST("${name}" AS ${stagedType}) AS ${stagedAs}`);
  return `INSERT INTO staged.element_1 BY NAME SELECT ${read.join(', ')} FROM read_csv('${file}')`;
}

/** `c1` to `c4` are key, start, change and sequence. Old events of the same time or later are ranked again, beside the new ones. */
function tailSql(first: string): readonly string[] {
  const events = (change: boolean): string =>
    `SELECT rowid AS "row", c1 AS key, ${change} AS change, ${change ? 'c3' : 'c2'} AS time, c4 AS sequence FROM staged.element_1
      WHERE ${change ? 'c3 <> c2 AND c3' : 'c2'} >= ${first}`;
  return [
    `SET VARIABLE first_id = (SELECT coalesce(min(id), (SELECT max(id) + 1 FROM ${event})) FROM ${event} WHERE time >= ${first})`,
    `CREATE TEMP TABLE tail AS
      SELECT getvariable('first_id') - 1 + row_number() OVER ranking AS id, "row", change, time, entity.id AS entity_id,
        CASE WHEN "row" < ${rows} THEN getvariable('first_id') - 1 + row_number() OVER (PARTITION BY "row" < ${rows} ORDER BY time, sequence NULLS FIRST, change, "row") END AS old_id
      FROM (${events(false)} UNION ALL ${events(true)}) AS events JOIN ${graph}.entity AS entity USING (key)
      WINDOW ranking AS (ORDER BY time, sequence NULLS FIRST, change, "row")`,
  ];
}

const propertiesSql = [
  `UPDATE ${properties} AS stored SET change_event_id = tail.id FROM tail WHERE tail.change AND tail.old_id = stored.change_event_id`,
  `INSERT INTO ${properties} SELECT started.id, changed.id, c5, c6, c7, c8, c9, c10
    FROM staged.element_1 AS staged JOIN tail AS started ON started."row" = staged.rowid AND NOT started.change
      LEFT JOIN tail AS changed ON changed."row" = staged.rowid AND changed.change
    WHERE staged.rowid >= ${rows} ORDER BY staged.rowid`,
];

const followsSql = [
  `DELETE FROM ${graph}.directly_follows WHERE target_event_id >= getvariable('first_id')`,
  `INSERT INTO ${graph}.directly_follows SELECT * FROM (
      SELECT entity_id, lag(id) OVER (PARTITION BY entity_id ORDER BY id) AS source_event_id, id AS target_event_id FROM (
        SELECT entity_id, id FROM tail
        UNION ALL
        SELECT entity_id, max(id) FROM ${event} WHERE id < getvariable('first_id') AND entity_id IN (SELECT entity_id FROM tail) GROUP BY 1
      ) AS events
    ) AS edges WHERE source_event_id IS NOT NULL AND target_event_id >= getvariable('first_id')`,
];

/** Fails if a table of the appended graph differs from that of the full import. */
async function compare(folder: string, full: string): Promise<void> {
  const scratch = await openScratch({ temporaryFolder: folder, memoryLimit: '1GB' });
  await scratch.run(`ATTACH '${join(folder, 'appended.duckdb')}' AS appended (READ_ONLY)`);
  await scratch.run(`ATTACH '${full}' AS whole (READ_ONLY)`);
  for (const table of ['entity', 'event', 'properties_1', 'directly_follows', 'process_map', 'process_map_path']) {
    const [row] = await scratch.query(
      `SELECT (SELECT [count(*), sum(hash(t)::HUGEINT)] FROM appended.${table} AS t) IS NOT DISTINCT FROM (SELECT [count(*), sum(hash(t)::HUGEINT)] FROM whole.${table} AS t) AS same`,
    );
    assert.equal(row?.['same'], true, `${table} is another.`);
  }
  await scratch.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
