import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { utcText } from '../simulator/demo-data.ts';
import type { Simulator } from '../simulator/simulator.ts';
import {
  expectedIncidents,
  importIncrementally,
  withIncrementalImport,
  type IncrementalImport,
} from '../support/incremental-imports.ts';
import { waitUntil } from '../support/wait-until.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Incidents from two months ago until in two weeks, none close to the edge of a window. */
function spread({ instance }: Simulator, now = Date.now()): void {
  const rows = instance.data.get('incident') ?? [];
  for (const [index, record] of rows.entries()) {
    const from = now - 60 * dayMs;
    record['opened_at'] = utcText(from + (index / rows.length) * 74 * dayMs + 0.31 * hourMs);
  }
}

/** The imports of a test during which no day ended. */
async function withinADay<T>(work: () => Promise<T>): Promise<T> {
  const today = (): string => new Date().toISOString().slice(0, 10);
  for (;;) {
    const day = today();
    const done = await work();
    if (today() === day) return done;
  }
}

/** One row per window: the part sent to the platform, and the minimum share of incidents that it leaves out. */
const windows: readonly (readonly [where: string, asked: RegExp, leavesOut: number])[] = [
  ['opened_at >= now() - INTERVAL 30 DAY', /opened_at>=/, 0.3],
  ['opened_at >= current_date - 30', /opened_at>=/, 0.3],
  ['opened_at > current_timestamp - INTERVAL 1 MONTH', /opened_at>=/, 0.3],
  ["opened_at >= date_trunc('week', now()) - INTERVAL '2 weeks'", /opened_at>=/, 0.3],
  ['now() - INTERVAL 7 DAY < opened_at AND opened_at <= today()', /opened_at>=.*\^opened_at<=/, 0.5],
  ['opened_at BETWEEN current_date - 7 AND current_date + 1', /opened_at>=.*\^opened_at<=/, 0.5],
  ['opened_at < now() - INTERVAL 20 DAY', /opened_at<=/, 0.3],
];

describe('ServiceNow › filters relative to the current time', () => {
  for (const [where, asked, leavesOut] of windows) {
    it(`are sent to the instance with the same result as local evaluation: ${where}`, async () => {
      for (const literalHours of [0, -12, 14]) {
        for (const incremental of [false, true]) {
          await withIncrementalImport(150, async (simulator, folder) => {
            simulator.instance.settings.literalHours = literalHours;
            spread(simulator);
            // An hour makes the whole import use the filter for an hour longer than otherwise.
            const settings = { incremental, fullEvery: '1h' };
            const local = where.replaceAll('opened_at', '(opened_at + INTERVAL 0 DAY)');
            const [sent, whole] = await withinADay(async () => [
              await importIncrementally(simulator, folder, { where: `    where: "${where}"\n`, settings }),
              await importIncrementally(simulator, `${folder}/whole`, { where: `    where: "${local}"\n`, settings }),
            ]);
            assert.ok(sent && whole && sent.rows.length > 0 && sent.rows.length < 150);
            assert.deepEqual(sent.rows, whole.rows, `${literalHours} hours`);
            const queries = queriesOf(sent);
            assert.ok(queries.length > 0 && queries.every((query) => asked.test(query)), queries.join('\n'));
            assert.ok(sent.lists < whole.lists * (1 - leavesOut) + 4, `${sent.lists} of ${whole.lists} requests`);
          });
        }
      }
    });
  }

  it('an incremental import accounts for unchanged records that enter or leave the window', async () => {
    for (const where of ['opened_at >= now() - INTERVAL 3 SECOND', 'opened_at <= now() - INTERVAL 3 SECOND']) {
      await withIncrementalImport(40, async (simulator, folder) => {
        const [moving, ...others] = simulator.instance.data.get('incident') ?? [];
        // They changed long ago.
        for (const record of others) record['opened_at'] = utcText(Date.now() + dayMs);
        assert.ok(moving);
        const opened = Math.ceil(Date.now() / 1000) * 1000 + 1000;
        moving['opened_at'] = utcText(opened);
        const isIn = ({ rows }: IncrementalImport): boolean =>
          rows.some((row) => row.startsWith(`${moving['sys_id']}|`));
        const first = await importIncrementally(simulator, folder, { where: `    where: "${where}"\n` });
        const isLeaving = where.includes('>=');
        assert.equal(isIn(first), isLeaving);
        await waitUntil('the window has moved on', async () => (Date.now() > opened + 3000 ? true : undefined));
        const next = await importIncrementally(simulator, folder, { where: `    where: "${where}"\n` });
        assert.deepEqual([isIn(next), next.requests.length], [!isLeaving, 2], where);
      });
    }
  });

  it('keep the time of the last full read until the next one', async () => {
    await withIncrementalImport(120, async (simulator, folder) => {
      spread(simulator);
      const where = '    where: opened_at >= now() - INTERVAL 30 DAY\n';
      const earliest = (found: IncrementalImport): string =>
        /opened_at>=(\S+)/.exec(queriesOf(found).find((query) => query.includes('opened_at')) ?? '')?.[1] ?? '';
      const first = await importIncrementally(simulator, folder, { where });
      // As if the last import had been three days ago, without a record in between.
      const rows = simulator.instance.data.get('incident') ?? [];
      const kept = join(folder, 'records', 'itsm');
      const [description = ''] = (await readdir(kept)).filter((name) => name.endsWith('.json'));
      const state = JSON.parse(await readFile(join(kept, description), 'utf8')) as { at: number; fullAt: number };
      const back = 3 * dayMs;
      const from = Date.parse(earliest(first)) - back;
      const between = rows.filter(({ opened_at: at = '' }) => {
        const time = Date.parse(`${at.replace(' ', 'T')}Z`);
        return time >= from - dayMs && time < from + back + dayMs;
      });
      const isGone = new Set(between);
      rows.splice(0, rows.length, ...rows.filter((record) => !isGone.has(record)));
      await importIncrementally(simulator, folder, { where });
      const [again = ''] = (await readdir(kept)).filter((name) => name.endsWith('.json'));
      await writeFile(
        join(kept, again),
        JSON.stringify({
          ...(JSON.parse(await readFile(join(kept, again), 'utf8')) as object),
          at: state.at - back,
          fullAt: state.fullAt - back,
        }),
      );
      const next = await importIncrementally(simulator, folder, { where });
      assert.equal(next.requests.length, 2);
      assert.equal(Date.parse(earliest(first)) - Date.parse(earliest(next)), back);
      const limit = Date.now() - 30 * dayMs;
      const isInside = ({ opened_at: at = '' }): boolean => Date.parse(`${at.replace(' ', 'T')}Z`) >= limit;
      assert.deepEqual(next.rows, expectedIncidents(simulator, isInside));
      // A clock that runs backwards does not validate the row cache.
      await writeFile(
        join(kept, again),
        JSON.stringify({
          ...(JSON.parse(await readFile(join(kept, again), 'utf8')) as object),
          at: Date.now() + dayMs,
          fullAt: Date.now() + dayMs,
        }),
      );
      const later = await importIncrementally(simulator, folder, { where });
      assert.ok(later.requests.length > 4);
      assert.deepEqual(later.rows, next.rows);
    });
  });
});

/** Requests that filter by time. */
function queriesOf({ requests }: IncrementalImport): readonly string[] {
  return requests
    .map(({ parameters }) => parameters.get('sysparm_query') ?? '')
    .filter((query) => query !== '' && !query.includes('sys_updated_on>='));
}
