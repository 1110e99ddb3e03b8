import assert from 'node:assert/strict';
import { readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { limitWaitMs, retryAfterMs, serverTime } from '../../server/src/connectors/http/transient-failure.ts';
import { isFresh } from '../../server/src/connectors/fetched/record-cache.ts';
import { checkFile } from '../../server/src/check/check-file.ts';
import { storedTables } from '../../server/src/graph-schema/stored-tables.ts';
import { openStore } from '../../server/src/store/duckdb-store.ts';
import { csvSources, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { clockAt } from '../support/moved-clock.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { jsonLines, runCli } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { countSoak, soakIt, soakList } from '../support/soak.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { traceStatements } from '../support/trace-statements.ts';
import { waitUntil } from '../support/wait-until.ts';

const graph = graphText(
  '  - { activityName: Place, dataObject: orders, key: id, startTimestamp: at, properties: [note] }\n',
  '  - { name: next, source: Place, target: Place, mappings: [{ source: id, target: before }] }\n',
);
const csv = (rows: number, note = 'x'): string =>
  `id,before,at,note\n${Array.from({ length: rows }, (_, i) => `${i},${i - 1},2024-01-0${(i % 9) + 1} 08:00:00,${note}`).join('\n')}\n`;

/** A clock that is fast, one that is slow, and one that changes at every reading. */
const clocks: readonly (readonly number[])[] = [[5], [-7], [0, 5, -7, 2, -11], [0, -1]];

describe('imports while the clock jumps by hours', () => {
  let folder = '';
  const runImport = async (hours: readonly number[], ...flags: string[]): Promise<ImportSummary> => {
    const args = ['import', 'graph.entity.yaml', '--format', 'json', '--workspace', folder, ...flags];
    const isMoved = hours.some((each) => each !== 0);
    const run = await (isMoved ? runCli(args, { cwd: folder, env: clockAt(...hours) }) : runCommand(args, folder));
    const summary = jsonLines(run).at(-1) as unknown as ImportSummary;
    assert.equal(summary.status, 'imported', JSON.stringify(summary.error) + run.stderr);
    return summary;
  };
  const rowsOf = async (store: string): Promise<unknown> => {
    const reader = await openStore(store);
    try {
      const tables = (await storedTables(reader)).filter(({ schema }) => schema !== 'run');
      const rows = tables.map(async ({ name }) => (await reader.table(`SELECT * FROM ${name} ORDER BY ALL`)).rows);
      return await Promise.all(rows);
    } finally {
      await reader.close();
    }
  };
  const statusText = (): Promise<string> => readFile(join(folder, '.entity-graph/state/graph.json'), 'utf8');

  beforeEach(async () => {
    folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': graph,
      'orders.csv': csv(500),
    });
  });
  afterEach(() => removeFolder(folder));

  // The one that changes at every reading is the worst.
  for (const hours of soakList(clocks, clocks.slice(2, 3))) {
    it(`${hours.join(', ')} hours off during an import › the graph is identical, and no duration is negative`, async () => {
      const whole = await rowsOf((await runImport([0])).store ?? '');
      const summary = await runImport(hours, '--full');
      assert.deepEqual(await rowsOf(summary.store ?? ''), whole);
      const { results } = await checkFile(summary.store ?? '', new AbortController().signal);
      assert.deepEqual(
        results.filter(({ ok }) => !ok),
        [],
      );
      const durations = [summary.durationMs, ...(summary.steps ?? []).map(({ durationMs }) => durationMs)];
      assert.ok(
        durations.every((each) => Number.isInteger(each) && each >= 0 && each < 600_000),
        durations.join(),
      );
      const reader = await openStore(summary.store ?? '');
      const [run] = await reader
        .query('SELECT durations_ms::VARCHAR AS durations FROM run')
        .finally(() => reader.close());
      const steps = Object.values(JSON.parse(String(run?.['durations'])) as Record<string, number>);
      assert.ok(
        steps.every((each) => each >= 0 && each < 600_000),
        steps.join(),
      );
      const status = JSON.parse(await statusText()) as { imported: string; store: string; previous: string };
      const away = (Date.parse(status.imported) - Date.now()) / 3_600_000;
      // The first import ran with the moved clock.
      if (hours.length === 1) assert.ok(Math.abs(away - (hours[0] ?? 0)) < 1, status.imported);
      else assert.ok(Math.abs(away) < 12, status.imported);
      // Names of stores contain times, which are no longer in order: the status knows the last and the previous graph.
      const stores = (await readdir(join(folder, '.entity-graph/graphs/graph'))).filter((name) =>
        name.endsWith('.duckdb'),
      );
      assert.deepEqual(stores.toSorted(), [status.store, status.previous].toSorted());
      assert.ok((summary.store ?? '').endsWith(status.store));
      countSoak();
    });
  }

  soakIt('an import keeps unchanged rows and reads changed ones, regardless of file times', async () => {
    const unchanged = ({ steps = [] }: ImportSummary): readonly string[] =>
      steps.filter(({ isUnchanged }) => isUnchanged).map(({ name }) => name);
    await runImport([5]);
    assert.equal(unchanged(await runImport([-7])).length, 2);
    for (const [index, shift] of [-5, 5, 0].entries()) {
      await writeFile(join(folder, 'orders.csv'), csv(500, `n${index}`));
      const then = new Date(Date.now() + shift * 3_600_000);
      await utimes(join(folder, 'orders.csv'), then, then);
      const summary = await runImport([0, 5, -7]);
      assert.deepEqual(unchanged(summary), []);
      const reader = await openStore(summary.store ?? '');
      const [row] = await reader.query('SELECT DISTINCT note FROM properties_1').finally(() => reader.close());
      assert.equal(row?.['note'], `n${index}`);
    }
    countSoak();
  });

  it('cached records with a timestamp in the future are read again in full', () => {
    const kept = (fullAt: number) => ({ mark: '', file: '', fullAt, at: fullAt });
    const reader = { fullEveryMs: 1000 } as Parameters<typeof isFresh>[1];
    assert.deepEqual(
      [5000, 5001, 4000, 3999, 9_000_000].map((fullAt) => isFresh(kept(fullAt), reader, 5000)),
      [true, false, true, false, false],
    );
  });

  it("Retry-After dates are relative to the server's clock", () => {
    const headers = (more: Readonly<Record<string, string>>) =>
      new Headers({ date: 'Mon, 23 Nov 2026 08:00:00 GMT', ...more });
    const at = headers({ 'retry-after': 'Mon, 23 Nov 2026 08:00:30 GMT' });
    assert.equal(retryAfterMs(at.get('retry-after'), serverTime(at)), 30_000);
    const reset = headers({ 'x-ratelimit-reset': String(Date.parse('2026-11-23T08:01:00Z') / 1000) });
    assert.equal(limitWaitMs(reset, serverTime(reset)), 60_000);
    const before = Date.now();
    assert.ok(serverTime(new Headers()) >= before);
  });
});

describe('imports from two machines with different clocks', () => {
  let server: TestPostgres;
  before(async () => (server = await sharedPostgres()));

  const pairs = [
    [5, -7],
    [-7, 5],
    [0, 9],
  ] as const;
  for (const [first, second] of soakList(pairs, pairs.slice(0, 1))) {
    it(`first at ${first} hours, second at ${second} › the second import is refused while the first one runs, and succeeds afterwards`, async () => {
      const database = await server.createDatabase();
      await server.query(
        database,
        "CREATE TABLE orders (id int PRIMARY KEY, before int, at timestamp, note text); INSERT INTO orders VALUES (1, 0, '2024-01-01', 'a')",
      );
      const files = { 'entity-sources.yaml': postgresqlSources(server, database), 'graph.entity.yaml': graph };
      await withProject(files, async ({ folder }) => {
        const args = ['import', 'graph.entity.yaml', '--format', 'json', '--workspace', folder];
        const importAt = (hours: number) => runCli(args, { cwd: folder, env: clockAt(hours) });
        const locker = new pg.Client({ connectionString: server.url(database) });
        await locker.connect();
        try {
          await locker.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE');
          const running = importAt(first);
          await waitUntil('the first one waits for the table', async () => {
            const waiting = await server.query(
              'postgres',
              `SELECT 1 FROM pg_stat_activity WHERE datname = '${database}' AND wait_event_type = 'Lock'`,
            );
            return waiting.length > 0 ? true : undefined;
          });
          const refused = await importAt(second);
          const { error } = jsonLines(refused).at(-1) as unknown as ImportSummary;
          assert.deepEqual([refused.code, error?.code], [1, 'import-running'], error?.message);
          await locker.query('ROLLBACK');
          assert.equal((await running).code, 0);
        } finally {
          await locker.end();
        }
        assert.equal((await importAt(second)).code, 0);
        countSoak();
      });
    });
  }

  it('no statement reads the clock of PostgreSQL', async () => {
    const database = await server.createDatabase();
    await server.query(
      database,
      "CREATE TABLE orders (id int PRIMARY KEY, before int, at timestamp, note text); INSERT INTO orders VALUES (1, 0, '2024-01-01', 'a')",
    );
    for (const engine of ['', 'import: { engine: source, schema: ekg }\n']) {
      const files = { 'entity-sources.yaml': postgresqlSources(server, database), 'graph.entity.yaml': graph + engine };
      await withProject(files, async (project) => {
        for (let round = 0; round < 2; round += 1) {
          const { result, trace } = await traceStatements(() => project.import());
          assert.equal(result.status, 'imported', result.error?.message);
          const asking =
            /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|localtime(?:stamp)?|current_(?:date|time|timestamp))\b/i;
          assert.deepEqual(
            trace.postgresql.filter((sql) => asking.test(sql)),
            [],
          );
          assert.ok(trace.postgresql.length > 5);
        }
      });
    }
  });
});
