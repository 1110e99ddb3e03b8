import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DuckDbSession, openScratch } from '../server/src/store/duckdb-store.ts';
import { sharedPostgres } from '../test/support/postgres.ts';
import type { ImportSummary } from '../server/src/cli/import-summary.ts';
import { folderWith, removeFolder, writeFiles } from '../test/support/temporary-folder.ts';
import { isQuick } from './bench-size.ts';
import type { BenchResult } from './bench-result.ts';
import { entityFile, ticketRows } from './csv-import-order.ts';
import { besideFloor, median, printResults } from './measure.ts';
import { wholeNodeProcess } from './whole-process.ts';

const rows = isQuick ? 1_000_000 : 10_000_000;
const rounds = isQuick ? 3 : 1;
const parts = 100;
const rowsOfPart = rows / parts;

/** Where 1 % of the rows are new: behind all others, or all over the table. */
type Place = 'end' | 'scattered';

interface IncrementalMeasurement {
  readonly seconds: number;
  /** Processor time of the import, without the server of the source. */
  readonly processorSeconds: number;
  /** Of `seconds`: reading the rows, or taking them from the row cache, and finding out what has changed. */
  readonly readingSeconds: number;
  readonly keptRows: number;
  readonly totals: object;
}

/** The graph is built from all rows in any case. */
const goal = 0.75;

/** The source of the rows, and the program that changes them. */
interface ChangingSource {
  readonly name: string;
  readonly changes: Readonly<Record<Place, string>>;
  readonly sourcesFile: string;
  change(place: Place, round: number): Promise<void>;
}

const commandLine = fileURLToPath(new URL('../server/dist/cli.js', import.meta.url));

/** Steps of an import before its graph is built. */
const readingSteps = new Set(['kept', 'unchanged', 'element_1']);

/** Imports by the built command line, from its start to its end. @param isFull reads everything, whatever is kept */
async function importWhole(folder: string, isFull: boolean): Promise<IncrementalMeasurement> {
  const args = ['import', 'ticket.entity.yaml', '--workspace', folder, '--steps', '--format', 'json'];
  const { seconds, processorSeconds, stdout } = await wholeNodeProcess(
    [commandLine, ...args, ...(isFull ? ['--full'] : [])],
    folder,
  );
  const { steps = [], totals } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as ImportSummary;
  const reading = steps.filter(({ name }) => readingSteps.has(name));
  return {
    seconds,
    processorSeconds,
    readingSeconds: reading.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000,
    keptRows: steps.reduce((sum, { keptRows = 0 }) => sum + keptRows, 0),
    totals,
  };
}

/** An import of a table of which 1 % has changed, with cached rows, compared with a full import. */
export async function run(): Promise<BenchResult[]> {
  return [...(await withFiles(measured)), ...(await withPostgres(measured))];
}

async function measured(source: ChangingSource, folder: string): Promise<BenchResult[]> {
  await writeFiles(folder, { 'entity-sources.yaml': source.sourcesFile });
  const importing = (isFull: boolean): Promise<IncrementalMeasurement> => importWhole(folder, isFull);
  await importing(true);
  const results: BenchResult[] = [];
  for (const place of ['end', 'scattered'] as const) {
    const incremental: IncrementalMeasurement[] = [];
    const full: IncrementalMeasurement[] = [];
    for (let round = 1; round <= rounds; round++) {
      await source.change(place, round);
      const first = await importing(false);
      const second = await importing(true);
      assert.ok(first.keptRows > rows / 2, 'Nothing was taken from the row cache.');
      assert.deepEqual(first.totals, second.totals, 'The imports build different graphs.');
      incremental.push(first);
      full.push(second);
    }
    const name = `incremental import, ${source.name}, ${rows / 1e6} M rows, ${source.changes[place]}`;
    const compare = (of: (each: IncrementalMeasurement) => number, by: (each: IncrementalMeasurement) => number) => {
      return { unit: 's', ...besideFloor(incremental.map(of), full.map(by)) };
    };
    const whole = compare(
      ({ seconds }) => seconds,
      ({ seconds }) => seconds,
    );
    results.push(
      { name, ...whole, goal: `≤ ${goal} × a full import`, ok: whole.ratio <= goal },
      {
        name: `${name}: processor time of the import`,
        ...compare(
          ({ processorSeconds }) => processorSeconds,
          ({ processorSeconds }) => processorSeconds,
        ),
        goal: 'no goal',
        ok: true,
      },
      {
        name: `${name}: reading only`,
        ...compare(
          ({ readingSeconds }) => readingSeconds,
          ({ readingSeconds }) => readingSeconds,
        ),
        goal: 'no goal',
        ok: true,
      },
      {
        name: `what a full import does after reading (${source.name}, ${place}), the least that is left`,
        ...compare(
          () => median(full.map(({ seconds, readingSeconds }) => seconds - readingSeconds)),
          ({ seconds }) => seconds,
        ),
        goal: 'no goal',
        ok: true,
      },
    );
  }
  return results;
}

type Measure = (source: ChangingSource, folder: string) => Promise<BenchResult[]>;

/** A hundred files; a change of some rows of a file is one of the file. */
async function withFiles(measure: Measure): Promise<BenchResult[]> {
  const folder = await folderWith({ 'ticket.entity.yaml': entityFile });
  try {
    await writeFiles(folder, { 'data/ticket-000.csv': '' });
    const scratch = await openScratch();
    const writePart = (part: number, what = '*'): Promise<unknown> => {
      const path = join(folder, 'data', `ticket-${String(part).padStart(3, '0')}.csv`);
      return scratch.run(
        `COPY (SELECT ${what} FROM ticket LIMIT ${rowsOfPart} OFFSET ${part * rowsOfPart}) TO '${path}'`,
      );
    };
    await tickets(scratch, 2 * rounds);
    for (let part = 0; part < parts; part++) await writePart(part);
    let added = 0;
    const source: ChangingSource = {
      name: 'files in parts',
      changes: { end: '1 % new in a file at the end', scattered: '1 % changed in ten of the hundred files' },
      sourcesFile: `version: 1
dataSources:
  files: { kind: csv, path: data/*.csv, parts: { ticket: ticket-*.csv } }
`,
      async change(place, round) {
        if (place === 'end') return void (await writePart(parts + added++));
        for (let part = 0; part < parts; part += 10) {
          await writePart(
            part,
            `* REPLACE (CASE WHEN description LIKE '%7' THEN 'round ${round}' ELSE state END AS state)`,
          );
        }
      },
    };
    return await measure(source, folder).finally(() => scratch.close());
  } finally {
    await removeFolder(folder);
  }
}

async function withPostgres(measure: Measure): Promise<BenchResult[]> {
  const server = await sharedPostgres();
  const folder = await folderWith({
    'ticket.entity.yaml': entityFile
      .replace('dataSource: files', 'dataSource: shop')
      .replace('properties: [', 'properties: [id, '),
  });
  try {
    const database = await server.createDatabase();
    await server.query(
      database,
      `CREATE TABLE ticket (id bigint PRIMARY KEY, ticket text, opened_at timestamp, updated_at timestamp, seq bigint, state text,
        priority bigint, assignment_group text, cost double precision, active boolean, description text, changed_at timestamptz);
      INSERT INTO ticket SELECT i, 'T' || lpad(((i * 7919) % ${rows / 10})::text, 7, '0'), '2020-01-01'::timestamp + i * interval '37 seconds',
        '2020-01-01'::timestamp + (i * 37 + CASE WHEN i % 20 = 0 THEN 0 ELSE i % 86400 END) * interval '1 second', i / ${rows / 10},
        (ARRAY['New', 'Active', 'Waiting', 'Resolved', 'Closed'])[i % 5 + 1], i % 4 + 1, CASE WHEN i % 7 <> 0 THEN 'group ' || i % 50 END,
        (i * 125 % 1000000) / 100, i % 3 = 0, 'Short description number ' || i, '2010-01-01Z'::timestamptz + i * interval '37 seconds'
      FROM generate_series(0, ${rows - 1}::bigint) AS i;
      CREATE INDEX ON ticket (changed_at)`,
    );
    await server.query(database, 'VACUUM ANALYZE ticket');
    let day = 0;
    const { host, port, user, password } = server;
    const source: ChangingSource = {
      name: 'PostgreSQL',
      changes: { end: '1 % new with later times', scattered: '1 % changed all over the table' },
      sourcesFile: `version: 1
dataSources:
  shop: { kind: postgresql, host: ${host}, port: ${port}, database: ${database}, user: ${user}, password: ${JSON.stringify(password)}, watermarks: { ticket: changed_at } }
`,
      async change(place, round) {
        const at = `'2025-01-01Z'::timestamptz + ${++day} * interval '1 day'`;
        const sql =
          place === 'end'
            ? `INSERT INTO ticket SELECT id + ${rows * day}, ticket, opened_at + interval '100 years', updated_at + interval '100 years', seq + ${day},
                state, priority, assignment_group, cost, active, description, ${at} FROM ticket WHERE id <= ${rows / 100}`
            : `UPDATE ticket SET state = 'round ${round}', changed_at = ${at} WHERE id % 100 = ${day % 100}`;
        await server.query(database, sql);
        await server.query(database, 'VACUUM ANALYZE ticket');
      },
    };
    return await measure(source, folder);
  } finally {
    await removeFolder(folder);
    await server.stop();
  }
}

/** The table `ticket`, with room for parts that are yet to come. */
async function tickets(scratch: DuckDbSession, further: number): Promise<void> {
  await scratch.run(`CREATE TABLE ticket AS ${ticketRows(rows + further * rowsOfPart)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
